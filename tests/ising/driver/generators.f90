! Compares the generators of ising_mc with numbers that were computed otherwise. These are from Park and Miller's paper,
! from minstd_rand in the C++ standard, and from the test vectors of Random123. For the other generators they are exact
! integers from the published recurrences, computed in Python.
program generators_test
   use kinds
   use generators
   use philox
   implicit none

   integer(lkind), parameter :: all_bits = int(z'ffffffff', lkind)
   integer :: wrong

   wrong = 0
   ! The recurrence starts from x = seed; the words are x - 1.
   call check('park_miller', 1_ikind, 10000, 1043618065_lkind - 1)
   call check('park_miller_48271', 1_ikind, 1, 48271_lkind - 1)
   call check('park_miller_48271', 1_ikind, 10000, 399268537_lkind - 1)
   call check('park_miller', 3141592_ikind, 1, 1261129216_lkind - 1)
   call check('park_miller', 3141592_ikind, 123456, 1678130010_lkind - 1)
   call check('park_miller', 2147483646_ikind, 777, 290748888_lkind - 1)
   call check('park_miller_48271', 3141592_ikind, 1, 1323932142_lkind - 1)
   call check('park_miller_48271', 3141592_ikind, 123456, 477457239_lkind - 1)
   call check('park_miller_48271', 2147483646_ikind, 777, 621096288_lkind - 1)
   call check('marsaglia_zaman', 3141592_ikind, 1, 153998159_lkind)
   call check('marsaglia_zaman', 3141592_ikind, 2, 529263678_lkind)
   call check('marsaglia_zaman', 3141592_ikind, 22, 3167158883_lkind)
   call check('marsaglia_zaman', 3141592_ikind, 23, 3784564349_lkind)
   call check('marsaglia_zaman', 3141592_ikind, 43, 2979646077_lkind)
   call check('marsaglia_zaman', 3141592_ikind, 44, 3013160724_lkind)
   call check('marsaglia_zaman', 3141592_ikind, 4096, 4279138311_lkind)
   call check('marsaglia_zaman', 3141592_ikind, 4097, 4246170069_lkind)
   call check('marsaglia_zaman', 3141592_ikind, 1000000, 1052399598_lkind)
   call check('marsaglia_zaman', 1_ikind, 1, 1474816362_lkind)
   call check('marsaglia_zaman', 1_ikind, 2, 982342460_lkind)
   call check('marsaglia_zaman', 1_ikind, 22, 77068224_lkind)
   call check('marsaglia_zaman', 1_ikind, 23, 209998653_lkind)
   call check('marsaglia_zaman', 1_ikind, 43, 3956532266_lkind)
   call check('marsaglia_zaman', 1_ikind, 44, 2897219152_lkind)
   call check('marsaglia_zaman', 1_ikind, 4096, 601402254_lkind)
   call check('marsaglia_zaman', 1_ikind, 4097, 1041244557_lkind)
   call check('marsaglia_zaman', 1_ikind, 5000, 2166162312_lkind)
   call check('marsaglia_zaman', 2147483646_ikind, 1, 2820150929_lkind)
   call check('marsaglia_zaman', 2147483646_ikind, 2, 3312624830_lkind)
   call check('marsaglia_zaman', 2147483646_ikind, 22, 4217899066_lkind)
   call check('marsaglia_zaman', 2147483646_ikind, 23, 1937484990_lkind)
   call check('marsaglia_zaman', 2147483646_ikind, 43, 2485918667_lkind)
   call check('marsaglia_zaman', 2147483646_ikind, 44, 1397748137_lkind)
   call check('marsaglia_zaman', 2147483646_ikind, 4096, 889934397_lkind)
   call check('marsaglia_zaman', 2147483646_ikind, 4097, 266448689_lkind)
   call check('marsaglia_zaman', 2147483646_ikind, 5000, 928757094_lkind)
   call check_philox([0_lkind, 0_lkind], spread(0_lkind, 1, 4), &
      [int(z'5f6fb709', lkind), int(z'0d893f64', lkind), int(z'4f121f81', lkind), int(z'4f730a48', lkind)])
   call check_philox([all_bits, all_bits], spread(all_bits, 1, 4), &
      [int(z'5207ddc2', lkind), int(z'45165e59', lkind), int(z'4d8ee751', lkind), int(z'8c52f662', lkind)])
   call check_philox([int(z'a4093822', lkind), int(z'299f31d0', lkind)], &
      [int(z'243f6a88', lkind), int(z'85a308d3', lkind), int(z'13198a2e', lkind), int(z'03707344', lkind)], &
      [int(z'4dfccaba', lkind), int(z'190a87f0', lkind), int(z'c47362ba', lkind), int(z'b6b5242a', lkind)])
   if (wrong > 0) error stop 1

contains

   ! Checks word number "place", counted from 1, when words are taken one by one and many at once.
   subroutine check(name, seed, place, expected)
      character(*), intent(in) :: name
      integer(ikind), intent(in) :: seed
      integer, intent(in) :: place
      integer(lkind), intent(in) :: expected
      integer, parameter :: at_once(3) = [1, 7, most_words]
      integer :: i, before

      do i = 1, size(at_once)
         call start_generator(name, seed)
         before = 0
         do
            call supply_words(at_once(i))
            if (before + at_once(i) >= place) exit
            before = before + at_once(i)
            taken = taken + at_once(i)
         end do
         if (words(taken + place - before - 1) == expected) cycle
         wrong = wrong + 1
         print '(2a,i0,a,i0,2(a,i0))', name, ', word ', place, ' by ', at_once(i), ': ', words(taken + place - before - 1), &
            ', not ', expected
      end do
   end subroutine check

   subroutine check_philox(key, counter, expected)
      integer(lkind), intent(in) :: key(2), counter(4), expected(4)

      if (all(philox4x32_7(key, counter) == expected)) return
      wrong = wrong + 1
      print '(a,4z9)', 'philox: ', philox4x32_7(key, counter)
   end subroutine check_philox

end program generators_test
