! Finds hoppings that are given twice, or in both directions.
module hopping_sets
   use kinds
   implicit none
   private
   public :: hopping_set

   integer(lkind), parameter :: offsets = 8193, most_orbitals = 16

   ! A hash table of hoppings, with open addressing. A hopping and its conjugate have the same key.
   type hopping_set
      integer(lkind), allocatable, private :: keys(:), numbers(:)
      integer, private :: count = 0
   contains
      procedure :: find
   end type hopping_set

contains

   ! Returns the number of the hopping between these orbitals in either direction, or 0, and adds it with this number.
   recursive subroutine find(this, from, to, offset, number, earlier)
      class(hopping_set), intent(inout) :: this
      integer, intent(in) :: from, to, offset(3)
      integer(lkind), intent(in) :: number
      integer(lkind), intent(out) :: earlier
      integer(lkind) :: key, slot

      if (.not. allocated(this%keys)) allocate (this%keys(0:63), this%numbers(0:63), source=-1_lkind)
      if (2 * (this%count + 1) > size(this%keys)) call grow(this)
      key = max(key_of(from, to, offset), key_of(to, from, -offset))
      slot = slot_of(this, key)
      earlier = 0
      if (this%keys(slot) == key) then
         earlier = this%numbers(slot)
      else
         this%keys(slot) = key
         this%numbers(slot) = number
         this%count = this%count + 1
      end if
   end subroutine find

   pure integer(lkind) function key_of(from, to, offset)
      integer, intent(in) :: from, to, offset(3)
      integer :: k

      key_of = (from - 1) * most_orbitals + to - 1
      do k = 1, 3
         key_of = key_of * offsets + offset(k) + (offsets - 1) / 2
      end do
   end function key_of

   ! Returns the place of the key, or a free one for it.
   pure integer(lkind) function slot_of(this, key)
      class(hopping_set), intent(in) :: this
      integer(lkind), intent(in) :: key

      slot_of = modulo(ieor(key, ishft(key, -17)), size(this%keys, kind=lkind))
      do while (this%keys(slot_of) >= 0 .and. this%keys(slot_of) /= key)
         slot_of = modulo(slot_of + 1, size(this%keys, kind=lkind))
      end do
   end function slot_of

   subroutine grow(this)
      class(hopping_set), intent(inout) :: this
      integer(lkind), allocatable :: keys(:), numbers(:)
      integer(lkind) :: slot
      integer :: k

      call move_alloc(this%keys, keys)
      call move_alloc(this%numbers, numbers)
      allocate (this%keys(0:2 * size(keys) - 1), this%numbers(0:2 * size(keys) - 1), source=-1_lkind)
      do k = lbound(keys, 1), ubound(keys, 1)
         if (keys(k) < 0) cycle
         slot = slot_of(this, keys(k))
         this%keys(slot) = keys(k)
         this%numbers(slot) = numbers(k)
      end do
   end subroutine grow

end module hopping_sets
