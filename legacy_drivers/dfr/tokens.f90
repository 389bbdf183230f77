! Splits a line into tokens, and reads numbers from them.
module tokens
   use kinds
   implicit none
   private
   public :: token_list, split_tokens, token_value

   type token_list
      character(:), allocatable :: text
   end type token_list

contains

   ! Splits a line at blanks and commas. 2*1.0 gives two tokens, as in list-directed input of Fortran.
   subroutine split_tokens(line, tokens)
      character(*), intent(in) :: line
      type(token_list), allocatable, intent(out) :: tokens(:)
      integer :: first, last, star, k

      allocate (tokens(0))
      do first = 1, len(line)
         if (.not. begins_token(line, first)) cycle
         last = first + scan(line(first:) // ' ', ' ,') - 2
         star = first - 1 + index(line(first:last), '*')
         if (.not. counts(line(first:star - 1))) star = first - 1
         do k = 1, repeats(line(first:star - 1))
            call append_token(tokens, line(max(star + 1, first):last))
         end do
      end do
   end subroutine split_tokens

   ! Appends a token. The tokens are moved one by one, because gfortran 12 leaks the texts of an array constructor.
   subroutine append_token(tokens, text)
      type(token_list), allocatable, intent(inout) :: tokens(:)
      character(*), intent(in) :: text
      type(token_list), allocatable :: longer(:)
      integer :: i

      allocate (longer(size(tokens) + 1))
      do i = 1, size(tokens)
         call move_alloc(tokens(i)%text, longer(i)%text)
      end do
      longer(size(longer))%text = text
      call move_alloc(longer, tokens)
   end subroutine append_token

   ! Returns true if the text is a repeat count. Counts have at most two digits, because there are fewer than 100
   ! shells.
   pure logical function counts(text)
      character(*), intent(in) :: text

      counts = len(text) > 0 .and. len(text) <= 2 .and. verify(text, '0123456789') == 0
   end function counts

   integer function repeats(text)
      character(*), intent(in) :: text

      repeats = 1
      if (counts(text)) read (text, *) repeats
   end function repeats

   pure function begins_token(line, position) result(answer)
      character(*), intent(in) :: line
      integer, intent(in) :: position
      logical :: answer

      answer = scan(line(position:position), ' ,') == 0
      if (answer .and. position > 1) answer = scan(line(position - 1:position - 1), ' ,') > 0
   end function begins_token

   subroutine token_value(token, value, ierr)
      character(*), intent(in) :: token
      real(rkind), intent(out) :: value
      integer(ikind), intent(out) :: ierr
      integer :: status

      value = zero
      ierr = 1
      if (verify(token, '0123456789+-.eEdD') > 0 .or. scan(token, '0123456789') == 0) return
      read (token, *, iostat=status) value
      if (status == 0 .and. abs(value) <= huge(value)) ierr = 0
   end subroutine token_value

end module tokens
