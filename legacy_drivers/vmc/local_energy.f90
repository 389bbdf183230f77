! Local values of a configuration. Tables contain the ratios for both spins at all sites that an electron may move to,
!    P(i, x) = sum_j phi(x - s_j) inverse(j, i),   Q(j, x) = sum_i inverse(j, i) phi(r_i - x).
! Ratios of hops are looked up, and those of exchanges take one scalar product for each bond.
module local_energy
   use kinds
   use determinant, only: down, electron_at, fill_column, fill_row, inverse, order, up
   use lattice, only: near, nnear, nshell
   use observables
   use pair_function, only: phi
   use vmcpar, only: jex, npair, nsite, t, tp, tpp
   implicit none
   private
   public :: start_local_energy, local_values

   integer(ikind) :: width                                     ! number of sites that an electron may move to
   integer(ikind), allocatable :: up_entry(:), down_entry(:)   ! (0:nsite-1): entry of a site in the tables
   real(rkind), allocatable :: rows(:, :), columns(:, :)       ! (order, width): of M, for an electron at these sites
   real(rkind), allocatable :: p(:, :), q(:, :)                ! (order, width)
   real(rkind), allocatable :: transposed(:, :)                ! transposed inverse

contains

   subroutine start_local_energy
      width = nsite - npair
      if (allocated(rows)) deallocate (up_entry, down_entry, rows, columns, p, q, transposed)
      allocate (up_entry(0:nsite - 1), down_entry(0:nsite - 1), rows(order, width), columns(order, width))
      allocate (p(order, width), q(order, width), transposed(order, order))
   end subroutine start_local_energy

   subroutine local_values(values)
      real(rkind), intent(out) :: values(nvalue)
      real(rkind) :: ratios
      integer(ikind) :: parallel, antiparallel

      call fill_tables
      call add_bonds(parallel, antiparallel, ratios)
      values(kinetic) = kinetic_energy() / nsite
      values(exchange) = -half * jex * (antiparallel + ratios) / nsite
      values(spin_spin) = (0.25_rkind * (parallel - antiparallel) - half * ratios) / (two * nsite)
      values(energy) = values(kinetic) + values(exchange)
      values(energy_squared) = values(energy)**2
   end subroutine local_values

   subroutine fill_tables
      integer(ikind) :: site, of_up, of_down

      of_up = 0
      of_down = 0
      do site = 0, nsite - 1
         if (electron_at(site) <= 0) then
            of_up = of_up + 1
            up_entry(site) = of_up
            call fill_row(site, rows(:, of_up))
         end if
         if (electron_at(site) >= 0) then
            of_down = of_down + 1
            down_entry(site) = of_down
            call fill_column(site, columns(:, of_down))
         end if
      end do
      transposed = transpose(inverse)
      call multiply(transposed, rows, p)
      call multiply(inverse, columns, q)
   end subroutine fill_tables

   ! Calculates c = a b, two columns of c by four columns of a at a time.
   subroutine multiply(a, b, c)
      real(rkind), intent(in) :: a(order, order), b(order, width)
      real(rkind), intent(out) :: c(order, width)
      integer(ikind) :: i, j, k

      c = zero
      do k = 1, width - 1, 2
         do j = 1, order - 3, 4
            do i = 1, order
               c(i, k) = c(i, k) + a(i, j) * b(j, k) + a(i, j + 1) * b(j + 1, k) + &
                  a(i, j + 2) * b(j + 2, k) + a(i, j + 3) * b(j + 3, k)
               c(i, k + 1) = c(i, k + 1) + a(i, j) * b(j, k + 1) + a(i, j + 1) * b(j + 1, k + 1) + &
                  a(i, j + 2) * b(j + 2, k + 1) + a(i, j + 3) * b(j + 3, k + 1)
            end do
         end do
         do j = order - mod(order, 4_ikind) + 1, order
            do i = 1, order
               c(i, k) = c(i, k) + a(i, j) * b(j, k)
               c(i, k + 1) = c(i, k + 1) + a(i, j) * b(j, k + 1)
            end do
         end do
      end do
      if (mod(width, 2_ikind) == 0) return
      do j = 1, order
         c(:, width) = c(:, width) + a(:, j) * b(j, width)
      end do
   end subroutine multiply

   function kinetic_energy() result(total)
      real(rkind) :: total, hopping(nshell)
      integer(ikind) :: site, shell, i, electron

      hopping = [t, tp, tpp]
      total = zero
      do site = 0, nsite - 1
         if (electron_at(site) /= 0) cycle
         do shell = 1, nshell
            if (.not. abs(hopping(shell)) > zero) cycle
            do i = 1, nnear
               electron = electron_at(near(i, site, shell))
               if (electron > 0) total = total - hopping(shell) * p(electron, up_entry(site))
               if (electron < 0) total = total - hopping(shell) * q(-electron, down_entry(site))
            end do
         end do
      end do
   end function kinetic_energy

   ! Counts bonds with an electron at each end, and adds up the exchange ratios of the antiparallel ones.
   subroutine add_bonds(parallel, antiparallel, ratios)
      integer(ikind), intent(out) :: parallel, antiparallel
      real(rkind), intent(out) :: ratios
      integer(ikind) :: site, i, one_end, other_end

      parallel = 0
      antiparallel = 0
      ratios = zero
      do site = 0, nsite - 1
         one_end = electron_at(site)
         do i = 1, nnear / 2
            other_end = electron_at(near(i, site, 1))
            if (one_end * other_end > 0) parallel = parallel + 1
            if (one_end * other_end >= 0) cycle
            antiparallel = antiparallel + 1
            ratios = ratios + exchange_ratio(max(one_end, other_end), -min(one_end, other_end))
         end do
      end do
   end subroutine add_bonds

   ! Returns the ratio if up electron k and down electron l change places.
   function exchange_ratio(k, l) result(ratio)
      integer(ikind), intent(in) :: k, l
      real(rkind) :: ratio, crossed
      integer(ikind) :: i

      associate (here => down_entry(up(k)), there => up_entry(down(l)))
         crossed = zero
         !$omp simd reduction(+:crossed)
         do i = 1, order
            crossed = crossed + p(i, there) * columns(i, here)
         end do
         ratio = p(k, there) * q(l, here) + inverse(l, k) * (phi(down(l) - up(k)) - crossed)
      end associate
   end function exchange_ratio

end module local_energy
