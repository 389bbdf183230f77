! A particle that starts on one site of a disordered square lattice: its mean square distance from the start, and what
! is left of it there. The norm stays 1 within the stated bound.
program kpm_wave_packet
   use, intrinsic :: iso_c_binding, only: c_double, c_double_complex, c_int64_t
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato
   implicit none
   integer, parameter :: length = 101, times = 6, middle = length / 2 + 1
   real(c_double), parameter :: step = 4
   type(legato_context) :: context
   type(legato_kpm_lattice) :: lattice
   type(legato_kpm_hamiltonian) :: hamiltonian
   type(legato_kpm_function) :: function
   complex(c_double_complex) :: psi(length * length), later(length * length)
   real(c_double) :: weight(length, length), distance(length, length), bound
   integer(c_int64_t) :: terms
   integer :: i, x, y

   call context%create()

   lattice = kpm_lattice_defaults()
   lattice%extents(:2) = length
   lattice%on_site = LEGATO_KPM_ON_SITE_BOX
   lattice%disorder = 4
   call hamiltonian%create_lattice(context, lattice)

   call function%create(context, hamiltonian)
   call function%set(LEGATO_KPM_FUNCTION_KIND_EVOLUTION, step, 1e-12_c_double, terms=terms, bound=bound)
   write (error_unit, '(i0,a)') terms, ' terms'

   do y = 1, length
      do x = 1, length
         distance(x, y) = (x - middle)**2 + (y - middle)**2
      end do
   end do
   psi = 0
   psi(middle + length * (middle - 1)) = 1
   print '(a)', '     time   distance^2  at the start'
   do i = 1, times
      call function%apply(psi, later, show_progress)
      psi = later
      weight = reshape(abs(psi)**2, [length, length])
      if (abs(sqrt(sum(weight)) - 1) > i * bound) error stop 'kpm_wave_packet: the norm is not 1'
      print '(f9.3,1x,f12.6,1x,f13.6)', i * step, sum(weight * distance), weight(middle, middle)
   end do
   write (error_unit, '()')

contains

   logical function show_progress(progress) result(cancel)
      type(legato_progress), intent(in) :: progress

      write (error_unit, '(a,i0,a,i0,a)', advance='no') achar(13), progress%points_done, ' of ', &
         progress%points_total, ' vectors '
      cancel = .false. ! true stops the call
   end function show_progress
end program kpm_wave_packet
