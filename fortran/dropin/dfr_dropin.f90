! eint2 and formpq of dfratom, computed by Legato. Compile this file with the program's own modules in place of the two
! old source files, and link with Legato and its Fortran modules. No two-electron integrals are computed: the arrays
! x1..x8 stay unallocated, and formpq calculates P and Q from the spinors in cvec. The environment variables
! LEGATO_BACKEND and LEGATO_LOG set the backend and the log level, because the program cannot pass options.
module legato_dfr_dropin
   use legato_c
   use legato_dropin, only: context, no_context, refused, storage
   implicit none
   private
   public :: make, apply

contains

   ! Destroys a thread's repulsion when the thread ends.
   subroutine destroy(state) bind(c, name='')
      type(c_ptr), value :: state
      type(c_ptr), pointer :: repulsion
      integer(c_int32_t) :: status

      call c_f_pointer(state, repulsion)
      if (c_associated(repulsion)) status = legato_dfr_repulsion_destroy(repulsion)
   end subroutine destroy

   ! Returns the calling thread's repulsion, null at first.
   function own()
      type(c_ptr), pointer :: own

      call c_f_pointer(storage(storage_size(c_null_ptr), destroy), own)
   end function own

   ! Makes the repulsion for the present basis. An optimisation changes the basis from one energy to the next.
   subroutine make(functions, exponents, failed)
      integer(c_int32_t), intent(in) :: functions(:)
      real(c_double), intent(in) :: exponents(:)
      logical, intent(out) :: failed
      type(c_ptr), pointer :: own_repulsion

      failed = no_context()
      if (failed) return
      own_repulsion => own()
      call destroy(c_loc(own_repulsion))
      own_repulsion = c_null_ptr
      failed = refused(legato_dfr_repulsion_create(context(), 1_c_int32_t, size(functions, kind=c_int32_t), functions, &
                                                   exponents, own_repulsion))
   end subroutine make

   subroutine apply(density_species, spinors, electrons, coefficients, target_species, factors, matrices)
      integer(c_int32_t), intent(in) :: density_species(:), spinors(:), target_species(:)
      real(c_double), intent(in) :: electrons(:), coefficients(:), factors(:, :)
      real(c_double), intent(inout) :: matrices(:)
      type(c_ptr), pointer :: own_repulsion

      own_repulsion => own()
      if (refused(legato_dfr_repulsion_apply(own_repulsion, size(density_species, kind=c_int32_t), density_species, spinors, &
                                             electrons, coefficients, size(target_species, kind=c_int32_t), &
                                             target_species, factors, matrices))) stop 1, quiet=.true.
   end subroutine apply

end module legato_dfr_dropin

! Passes the basis to the library; no two-electron integrals are computed. ierr = 1: the library refused and printed the
! reason.
subroutine eint2(ierr)
   use, intrinsic :: iso_c_binding, only: c_double, c_int32_t
   use baspar, only: nbs, nsym, zeta
   use kinds, only: ikind
   use legato_dfr_dropin, only: make
   implicit none
   integer(ikind), intent(out) :: ierr
   real(c_double), allocatable :: exponents(:)
   integer(ikind) :: l
   logical :: failed

   allocate (exponents(0))
   do l = 1, nsym
      exponents = [exponents, zeta(:nbs(l), l)]
   end do
   call make(int(nbs(:nsym), c_int32_t), exponents, failed)
   ierr = merge(1_ikind, 0_ikind, failed)
end subroutine eint2

! Computes P, the repulsion by all electrons, and Q, the part of the repulsion by open shells that the vector coupling
! subtracts again.
subroutine formpq
   use, intrinsic :: iso_c_binding, only: c_double, c_int32_t
   use baspar, only: nbs, ndeg, nsym
   use elconf, only: nclose, nopen, qopen, vc
   use kinds, only: ikind, rkind
   use legato_dfr_dropin, only: apply
   use result, only: cvec
   use scfarr, only: nneg, pmat, qmat
   implicit none
   integer(c_int32_t), allocatable :: species(:), spinors(:), targets(:)
   real(c_double), allocatable :: electrons(:), coefficients(:), factors(:, :), matrices(:)
   logical, allocatable :: open(:)
   integer(ikind) :: l, t, first

   call list_densities
   allocate (targets(nsym + count(nopen(:nsym) > 0)))     ! first all species for P, then those with an open shell for Q
   targets(:nsym) = [(int(l - 1, c_int32_t), l = 1, nsym)]
   targets(nsym + 1:) = pack(targets(:nsym), nopen(:nsym) > 0)
   call list_factors
   allocate (matrices(sum((2 * nbs(targets + 1))**2)))
   call apply(species, spinors, electrons, coefficients, targets, factors, matrices)
   first = 1
   do t = 1, size(targets)
      l = targets(t) + 1
      if (t <= nsym) then
         call take(pmat(:, :, l))
      else
         call take(qmat(:, :, l))
      end if
   end do

contains

   subroutine list_densities
      allocate (species(0), spinors(0), electrons(0), coefficients(0), open(0))
      do l = 1, nsym
         if (nclose(l) > 0) call add(nneg(l) + 1, nclose(l), real(ndeg(l), rkind), .false.)
         if (nopen(l) > 0) call add(nneg(l) + nclose(l) + 1, 1_ikind, qopen(l), .true.)
      end do
   end subroutine list_densities

   subroutine add(start, count, number, is_open)
      integer(ikind), intent(in) :: start, count
      real(rkind), intent(in) :: number
      logical, intent(in) :: is_open

      species = [species, int(l - 1, c_int32_t)]
      spinors = [spinors, int(count, c_int32_t)]
      electrons = [electrons, number]
      coefficients = [coefficients, reshape(cvec(:2 * nbs(l), start:start + count - 1, l), [2 * nbs(l) * count])]
      open = [open, is_open]
   end subroutine add

   subroutine list_factors
      integer(ikind) :: d

      allocate (factors(size(species), size(targets)))
      factors(:, :nsym) = 1
      do t = nsym + 1, size(targets)
         do d = 1, size(species)
            factors(d, t) = merge(vc(targets(t) + 1, species(d) + 1), 0.0_rkind, open(d))
         end do
      end do
   end subroutine list_factors

   subroutine take(matrix)
      real(rkind), intent(inout) :: matrix(:, :)
      integer(ikind) :: n

      n = 2 * nbs(l)
      matrix(:n, :n) = reshape(matrices(first:first + n * n - 1), [n, n])
      first = first + n * n
   end subroutine take

end subroutine formpq
