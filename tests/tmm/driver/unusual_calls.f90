! Makes calls as no orderly main program makes them, and prints them as sums of logarithms. The drop-in must give the
! same numbers at once and deferred. Random numbers come from the compiler's generator, from a fixed seed.
program unusual_calls
   use, intrinsic :: iso_c_binding, only: c_double, c_int32_t
   implicit none
   integer, parameter :: dp = c_double, m = 5, n = m * m
   real(dp), allocatable :: a(:, :), b(:, :), c(:, :), d(:, :)
   real(dp) :: gamma(n), gamma2(n)
   integer :: k, n_ortho = 4
   character(8) :: rule
   interface
      subroutine legato_dropin_multiply(dimension, width, boundary, hopping, diagonal, psi_a, psi_b) bind(C)
         import :: c_double, c_int32_t
         integer(c_int32_t), value :: dimension, width, boundary
         real(c_double), value :: hopping
         real(c_double), intent(in) :: diagonal(*)
         real(c_double), intent(inout) :: psi_a(*), psi_b(*)
      end subroutine legato_dropin_multiply
   end interface
   external :: renorm, renorm_adaptive, swap

   call set_random_seed
   allocate (a(n, n), b(n, n), c(n, n), d(n, n))
   call get_command_argument(1, rule)
   if (rule == 'pairs') call too_many_pairs
   if (rule == 'partner') call another_partner
   if (rule == 'own') call own_multiplication_between
   if (rule == 'negated') call own_change_of_sign
   if (rule == 'elements') call single_element_set
   if (rule == 'size') call another_size
   if (rule == '') call all_that_is_allowed
   deallocate (a, b, c, d)     ! LeakSanitizer would report them otherwise

contains

   subroutine all_that_is_allowed
      call multiplication_alone
      call begin(a, b)     ! the program multiplies by itself
      do k = 1, 4
         call own_step(a, b); call own_step(b, a); call renorm(a, b, gamma, gamma2, n)
      end do
      call show('own multiplication')

      call begin(a, b)
      do k = 1, 4     ! odd number of multiplications, made even by an exchange
         call step(a, b); call step(b, a); call step(a, b); call swap(a, b, n); call renorm(a, b, gamma, gamma2, n)
      end do
      call show('exchanges')

      do k = 1, 4     ! no exchange, so the arrays keep changing roles; two orthonormalisations in a row
         if (mod(k, 2) == 1) call step(a, b)
         if (mod(k, 2) == 0) call step(b, a)
         call renorm(a, b, gamma, gamma2, n)
         call renorm(b, a, gamma, gamma2, n)
      end do
      call show('roles')

      call step(a, b); call step(a, b); call renorm(a, b, gamma, gamma2, n)     ! the same direction twice
      call show('twice')

      call begin(c, d)     ! another pair of arrays, alternating with the first
      do k = 1, 3
         call step(c, d); call step(a, b); call renorm(c, d, gamma, gamma2, n); call renorm(a, b, gamma, gamma2, n)
      end do
      call show('two pairs')

      call step(a, b, hopping=0.5_dp); call step(b, a, boundary=0)     ! another bar between two orthonormalisations
      call renorm(a, b, gamma, gamma2, n)
      call show('two bars')

      call step(a, b); call step(b, a, hopping=0.5_dp)     ! the first bar's boundary again; then another hopping
      call step(a, b); call step(b, a); call renorm(a, b, gamma, gamma2, n)
      call show('two hoppings')

      call begin(a, b)     ! the first calls again, with arrays that were kept on the device
      do k = 1, 4
         call own_step(a, b); call own_step(b, a); call renorm(a, b, gamma, gamma2, n)
      end do
      call show('own multiplication again')

      call step(a, b)
      call unit(b)     ! one array is set anew, the other kept
      call step(a, b); call renorm(a, b, gamma, gamma2, n)
      call show('one array set')

      call step(c, d)
      call swap(c, d, n)
      call unit(c)
      call swap(c, d, n); call step(c, d); call renorm(c, d, gamma, gamma2, n)
      call show('exchange after setting one')

      do k = 1, 12     ! more pairs than are kept on a device, at addresses that are used again
         deallocate (a, b)
         allocate (a(n, n), b(n, n))
         call begin(a, b)
         call step(a, b); call step(b, a); call renorm(a, b, gamma, gamma2, n)
         call step(c, d); call renorm(c, d, gamma, gamma2, n)
      end do
      call show('many pairs')

      call begin(a, b)     ! orthonormalisation first
      call random_number(a); call random_number(b)
      call renorm(a, b, gamma, gamma2, n); call step(a, b); call renorm(a, b, gamma, gamma2, n)
      call show('orthonormalisation first')

      call begin(a, b)     ! this comes last, as nothing is deferred afterwards
      call renorm(a, b, gamma, gamma2, n); call step(a, b); call renorm_adaptive(a, b, gamma, gamma2, n, n_ortho)
      call step(b, a); call renorm_adaptive(b, a, gamma, gamma2, n, n_ortho)
      call show('adaptive')
      print '(a,i0)', '[multiplications] ', n_ortho
   end subroutine all_that_is_allowed

   ! Uses nine pairs of arrays, one more than a thread can have in work.
   subroutine too_many_pairs
      real(dp), allocatable :: psi(:, :, :)
      integer :: round, pair

      allocate (psi(n, n, 18))
      do pair = 1, 9
         call begin(psi(:, :, 2 * pair - 1), psi(:, :, 2 * pair))
      end do
      do round = 1, 3     ! nothing is deferred before the first orthonormalisation
         do pair = 1, 9
            call step(psi(:, :, 2 * pair - 1), psi(:, :, 2 * pair))
            call renorm(psi(:, :, 2 * pair - 1), psi(:, :, 2 * pair), gamma, gamma2, n)
         end do
      end do
      call show('pairs')
   end subroutine too_many_pairs

   subroutine another_partner
      call begin(a, b)
      call renorm(a, b, gamma, gamma2, n)
      call step(a, b)
      call unit(c)
      call renorm(a, c, gamma, gamma2, n)
      call show('partner')
   end subroutine another_partner

   subroutine own_multiplication_between
      call begin(a, b)
      call renorm(a, b, gamma, gamma2, n)
      call step(a, b)
      call own_step(b, a); call own_step(a, b)
      call renorm(b, a, gamma, gamma2, n)
      call show('own')
   end subroutine own_multiplication_between

   subroutine own_change_of_sign
      call begin(a, b)
      call renorm(a, b, gamma, gamma2, n)
      call step(a, b)
      a = -a
      b = -b
      call renorm(a, b, gamma, gamma2, n)
      call show('negated')
   end subroutine own_change_of_sign

   subroutine single_element_set
      call begin(a, b)
      call renorm(a, b, gamma, gamma2, n)
      call step(a, b)
      a(n, n) = 1
      call renorm(a, b, gamma, gamma2, n)
      call show('elements')
   end subroutine single_element_set

   ! Passes fewer columns at the addresses of a pair that is kept on the device.
   subroutine another_size
      call begin(a, b)
      call random_number(a); call random_number(b)
      call renorm(a, b, gamma, gamma2, n)
      call step(a, b)
      call renorm(a, b, gamma, gamma2, n - 9)
      call show('size')
   end subroutine another_size

   ! Multiplies without ReNorm. The library's multiplication is then done at once, as in a program with its own ReNorm.
   subroutine multiplication_alone
      call begin(a, b)
      call step(a, b)
      gamma = sum(b, 2)
      call step(b, a)
      gamma2 = sum(a, 2)
      call show('multiplication alone')
   end subroutine multiplication_alone

   ! Multiplies as a program might do by itself, for a bar without disorder.
   subroutine own_step(psi_a, psi_b)
      real(dp), intent(in) :: psi_a(n, n)
      real(dp), intent(inout) :: psi_b(n, n)

      psi_b = 0.3_dp * psi_a - cshift(psi_a, 1) - cshift(psi_a, -1) - psi_b
   end subroutine own_step

   subroutine set_random_seed
      integer :: length, i

      call random_seed(size=length)
      call random_seed(put=[(i, i=1, length)])
   end subroutine set_random_seed

   subroutine begin(psi_a, psi_b)
      real(dp), intent(inout) :: psi_a(n, n), psi_b(n, n)

      call unit(psi_a)
      psi_b = 0
      gamma = 0
      gamma2 = 0
   end subroutine begin

   subroutine unit(psi)
      real(dp), intent(inout) :: psi(n, n)
      integer :: i

      psi = 0
      do i = 1, n
         psi(i, i) = 1
      end do
   end subroutine unit

   subroutine step(psi_a, psi_b, boundary, hopping)
      real(dp), intent(inout) :: psi_a(n, n), psi_b(n, n)
      integer, intent(in), optional :: boundary
      real(dp), intent(in), optional :: hopping
      real(dp) :: diagonal(n), transverse
      integer :: edge

      edge = 1
      if (present(boundary)) edge = boundary
      transverse = 1
      if (present(hopping)) transverse = hopping
      call random_number(diagonal)
      call legato_dropin_multiply(3, m, edge, transverse, 4 * diagonal - 2, psi_a, psi_b)
   end subroutine step

   subroutine show(label)
      character(*), intent(in) :: label

      print '(a,1x,*(es22.14))', '['//label//']', gamma, gamma2
   end subroutine show
end program unusual_calls
