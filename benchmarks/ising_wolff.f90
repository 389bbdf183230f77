! Runs a plain program of Wolff's algorithm, one bond at a time, for the benchmark. All spins are up at the start. Returns
! the seconds of `clusters` clusters, without the `before` clusters before them.
subroutine serial_wolff(dimension, length, beta, before, clusters, seconds) bind(c)
   use, intrinsic :: iso_c_binding
   implicit none
   integer(c_int32_t), value :: dimension, length
   real(c_double), value :: beta
   integer(c_int64_t), value :: before, clusters
   real(c_double), intent(out) :: seconds
   integer(c_int8_t), allocatable :: spins(:)
   integer(c_int32_t), allocatable :: reached(:), neighbours(:, :)
   integer(c_int64_t) :: begin, end, rate, cluster, state, occupied
   integer(c_int32_t) :: sites, site, neighbour, stride, top, axis, place, k
   integer(c_int8_t) :: old

   sites = length**dimension
   allocate (spins(0:sites - 1), reached(sites), neighbours(2 * dimension, 0:sites - 1))
   do site = 0, sites - 1
      do axis = 1, dimension
         stride = length**(axis - 1)
         place = mod(site / stride, length)
         neighbours(2 * axis - 1, site) = merge(site + stride, site - (length - 1) * stride, place < length - 1)
         neighbours(2 * axis, site) = merge(site - stride, site + (length - 1) * stride, place > 0)
      end do
   end do
   spins = 1
   state = 88172645463325252_c_int64_t
   occupied = int((1 - exp(-2 * beta)) * 2.0_c_double**62, c_int64_t)
   do cluster = 1, before + clusters
      if (cluster == before + 1) call system_clock(begin, rate)
      site = int(mod(random(), int(sites, c_int64_t)), c_int32_t)
      old = spins(site)
      spins(site) = -old
      reached(1) = site
      top = 1
      do while (top > 0)
         site = reached(top)
         top = top - 1
         do k = 1, 2 * dimension
            neighbour = neighbours(k, site)
            if (spins(neighbour) /= old) cycle
            if (random() >= occupied) cycle
            spins(neighbour) = -old
            top = top + 1
            reached(top) = neighbour
         end do
      end do
   end do
   call system_clock(end)
   seconds = real(end - begin, c_double) / real(rate, c_double)

contains

   ! A number from 0 to 2^62 - 1 by xorshift (G. Marsaglia, J. Stat. Softw. 8, 14 (2003)).
   function random()
      integer(c_int64_t) :: random

      state = ieor(state, ishft(state, 13))
      state = ieor(state, ishft(state, -7))
      state = ieor(state, ishft(state, 17))
      random = ishft(state, -2)
   end function random

end subroutine serial_wolff
