! The command line of tmm_scaling.
module scaling_options
   use kinds
   use messages
   use command_line
   implicit none
   private
   public :: options, range, read_options

   type range
      real(rkind) :: first = -huge(zero), last = huge(zero)
   end type range

   type options
      type(text_item), allocatable :: files(:)
      integer(ikind) :: lowest(4) = [3, 0, 2, 0], highest(4) = [3, 0, 2, 0]     ! orders n1, n2, m1, m2
      integer(ikind) :: columns(4) = [1, 2, 3, 4]                             ! of M, W, Lambda and its error
      type(range) :: widths, controls
      logical :: inverse = .false.                                            ! fits 1 / Lambda
      integer(lkind) :: resamples = 1000, seed = 1277
      character(:), allocatable :: output                                     ! beginning of file names; unallocated: none
   end type options

   character(*), parameter :: known(*) = [character(len=12) :: '--orders=', '--columns=', '--inverse', '--widths=', &
      '--controls=', '--resamples=', '--seed=', '-o|--output=', 'FILE']
   character(*), parameter :: help(*) = [character(len=104) :: &
      'usage: tmm_scaling [OPTION]... FILE...', &
      '', &
      'Fits Lambda(M, W) = F(u1(w) M^(1/nu), u2(w) M^y), w = W - W_c, to normalised localisation lengths: a', &
      'polynomial of order N1 in the relevant and N2 in the irrelevant scaling field. u1 and u2 are polynomials', &
      'in w of orders M1 and M2. Errors follow from fits to synthetic data. A FILE is a table, or a file', &
      'Avg-*.raw of tmsexd.', &
      '', &
      '  --orders N1,N2,M1,M2  orders: numbers, or ranges such as 2-4 for a table; 3,0,2,0 by default', &
      '  --columns A,B,C,D     columns of M, W, Lambda and its standard error in a table; 1,2,3,4 by default', &
      '  --inverse             fit 1 / Lambda, which is M times the smallest Lyapunov exponent', &
      '  --widths A:B          use only M from A to B; A or B may be missing', &
      '  --controls A:B        use only W from A to B', &
      '  --resamples N         number of synthetic data sets, 1000 by default', &
      '  --seed N              seed of their random numbers, 1277 by default', &
      '  -o, --output NAME     write data and curves to NAME-*.dat, and a gnuplot script, NAME.gp', &
      '', &
      'The exit status is 0 if all fits have converged, and 1 otherwise or after an error.']

contains

   ! Reads the command line. ierr = 1: an error, which has been reported; -1: only the help was asked for.
   subroutine read_options(given, ierr)
      type(options), intent(out) :: given
      integer(ikind), intent(out) :: ierr
      type(command) :: line

      allocate (given%files(0))
      ierr = 0
      do while (line%next(known, help, ierr))
         call take(line%option, line%value, given, ierr)
      end do
      if (ierr /= 0) return
      if (size(given%files) == 0) call refuse('no file with data is given; see --help', ierr)
      if (any(given%highest > given%lowest)) then
         if (allocated(given%output)) call refuse('--output needs one set of orders; --orders has several', ierr)
         if (given%highest(2) == 0 .and. given%lowest(4) > 0) &
            call refuse('--orders: M2 is not 0, but without an irrelevant field, N2 = 0, it must be', ierr)
      end if
      if (allocated(given%output)) call check_output_name(given%output, ierr)
   end subroutine read_options

   ! The name is also written into the script for gnuplot.
   subroutine check_output_name(name, ierr)
      character(*), intent(in) :: name
      integer(ikind), intent(inout) :: ierr
      integer :: slash
      logical :: exists

      slash = index(name, '/', back=.true.)
      if (slash == len(name) .or. name(slash + 1:) == '.' .or. name(slash + 1:) == '..') then
         call refuse('--output ' // quoted(name) // ' ends with a folder; a beginning of file names is needed', ierr)
      else if (scan(name(slash + 1:), '"''\' // achar(10)) > 0) then
         call refuse('--output ' // quoted(name) // ': quotation marks, backslashes and line breaks are not allowed', ierr)
      else if (slash > 0) then
         inquire (file=name(:slash) // '.', exist=exists)
         if (.not. exists) call refuse('--output ' // quoted(name) // ': there is no folder ' // quoted(name(:slash)), ierr)
      end if
   end subroutine check_output_name

   subroutine take(option, value, given, ierr)
      character(*), intent(in) :: option, value
      type(options), intent(inout) :: given
      integer(ikind), intent(inout) :: ierr
      integer(ikind) :: unused(4)

      select case (option)
      case ('')
         call append(given%files, value)
      case ('--inverse')
         given%inverse = .true.
      case ('--orders')
         call read_orders(value, given, ierr)
      case ('--columns')
         call read_four(option, value, '', given%columns, unused, ierr)
         if (ierr == 0 .and. any(given%columns < 1)) call refuse('--columns ' // quoted(value) // ': columns count from 1', ierr)
      case ('--widths')
         call read_range(option, value, given%widths, ierr)
      case ('--controls')
         call read_range(option, value, given%controls, ierr)
      case ('--resamples')
         call read_whole(option, value, 0_lkind, 100000_lkind, given%resamples, ierr)
      case ('--seed')
         call read_whole(option, value, 0_lkind, 1000000000000000_lkind, given%seed, ierr)
      case ('--output')
         given%output = value
      end select
   end subroutine take

   subroutine read_orders(value, given, ierr)
      character(*), intent(in) :: value
      type(options), intent(inout) :: given
      integer(ikind), intent(inout) :: ierr
      integer(ikind), parameter :: least(4) = [1, 0, 1, 0], most(4) = [12, 4, 8, 8]

      call read_four('--orders', value, '-', given%lowest, given%highest, ierr)
      if (ierr /= 0) return
      if (any(given%lowest < least) .or. any(given%highest > most) .or. any(given%highest < given%lowest)) &
         call refuse('--orders ' // quoted(value) // ' (allowed: N1 1..12, N2 0..4, M1 1..8, M2 0..8)', ierr)
   end subroutine read_orders

   ! Reads four whole numbers with commas between them. With a separator, each may be a range.
   subroutine read_four(option, value, separator, first, last, ierr)
      character(*), intent(in) :: option, value, separator
      integer(ikind), intent(out) :: first(4), last(4)
      integer(ikind), intent(inout) :: ierr
      integer :: i, from, past, dash
      logical :: fine

      first = 0
      last = 0
      from = 1
      fine = count([(value(i:i) == ',', i = 1, len(value))]) == 3
      do i = 1, 4
         if (.not. fine) exit
         past = from - 1 + index(value(from:) // ',', ',')
         dash = 0
         if (separator /= '') dash = index(value(from:past - 1), separator)
         if (dash > 0) then
            fine = whole(value(from:from + dash - 2), first(i))
            if (fine) fine = whole(value(from + dash:past - 1), last(i))
         else
            fine = whole(value(from:past - 1), first(i))
            last(i) = first(i)
         end if
         from = past + 1
      end do
      if (.not. fine) call refuse(option // ' ' // quoted(value) // ' is not four numbers with commas, such as 3,1,2,0', ierr)
   end subroutine read_four

   function whole(text, number)
      character(*), intent(in) :: text
      integer(ikind), intent(out) :: number
      logical :: whole
      integer(lkind) :: found

      number = 0
      whole = whole_of(text, found)
      if (whole) whole = found < 100000
      if (whole) number = int(found, ikind)
   end function whole

   subroutine read_range(option, value, wanted, ierr)
      character(*), intent(in) :: option, value
      type(range), intent(inout) :: wanted
      integer(ikind), intent(inout) :: ierr
      integer :: colon
      logical :: fine

      colon = index(value, ':')
      fine = colon > 0 .and. len(value) > 1
      if (fine .and. colon > 1) fine = number_of(value(:colon - 1), wanted%first)
      if (fine .and. colon < len(value)) fine = number_of(value(colon + 1:), wanted%last)
      if (.not. fine) call refuse(option // ' ' // quoted(value) // ' is not FIRST:LAST, where one of them may be missing', ierr)
      if (ierr == 0 .and. wanted%first > wanted%last) call refuse(option // ' ' // quoted(value) // ' contains nothing', ierr)
   end subroutine read_range

end module scaling_options
