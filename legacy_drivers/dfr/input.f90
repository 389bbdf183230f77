! INTIN - reads the input file, with all checks. An error is reported in one line on standard error. The basis and the
! configurations are also formed here, if the input does not list them.
subroutine intin(name, ierr)
   use kinds
   use limits
   use ctlpar
   use baspar
   use elconf
   use scfpar
   use elements, only: maxelm, nuclear_rms_radius
   use input_lines
   use messages, only: integer_text, quoted, real_text
   use namelists
   use tokens
   implicit none
   character(*), intent(in) :: name
   integer(ikind), intent(out) :: ierr

   interface
      subroutine formbs(ierr)
         import :: ikind
         integer(ikind), intent(out) :: ierr
      end subroutine formbs

      subroutine find_bin_configurations(ierr)
         import :: ikind
         integer(ikind), intent(out) :: ierr
      end subroutine find_bin_configurations
   end interface

   call open_input(name)
   call read_title(title)
   call read_contrl
   call read_nuc
   call read_bas
   call read_newuoa
   call read_econfig
   call read_scf
   call read_end
   call close_input(ierr)

contains

   ! Returns the allowed values of a field that could not be read.
   function form_of(field) result(form)
      character(*), intent(in) :: field
      character(:), allocatable :: form

      select case (field)
       case ('c')
         form = range_text(one, 1.0e5_rkind)
       case ('znuc')
         form = range_text(one, 137.0_rkind)
       case ('nucmdl')
         form = range_text(1_ikind, 3_ikind)
       case ('rnuc')
         form = range_text(1.0e-8_rkind, one)
       case ('alpha')
         form = range_text(one, 1.0e16_rkind)
       case ('nsym')
         form = range_text(1_ikind, maxsym)
       case ('ngroup')
         form = '1..nsym'
       case ('wtbspara')
         form = integer_text(4 * ngroup) // ' numbers, 4 for each group'
       case ('nbs', 'start')
         form = whole_numbers(1_ikind, maxbas)
       case ('groups')
         form = whole_numbers(1_ikind, ngroup)
       case ('nclose')
         form = whole_numbers(0_ikind, maxbas)
       case ('nopen')
         form = whole_numbers(0_ikind, 1_ikind)
       case ('freeel')
         form = 'a whole number'
       case ('autogen')
         form = '.true. .false.'
       case ('nconf')
         form = range_text(1_ikind, maxcnf)
       case ('rhobeg')
         form = range_text(1.0e-10_rkind, one)
       case ('rhoend')
         form = range_text(1.0e-14_rkind, one)
       case ('iprint')
         form = range_text(0_ikind, 3_ikind)
       case ('maxfun')
         form = range_text(1_ikind, 1000000_ikind)
       case ('maxitr')
         form = range_text(1_ikind, 100000_ikind)
       case ('ixtrp')
         form = range_text(0_ikind, 1_ikind)
       case ('dfctr')
         form = range_text(zero, 0.99_rkind)
       case ('thdll', 'thdsl', 'thdss')
         form = range_text(1.0e-15_rkind, one)
       case default
         form = 'a text in quotation marks'
      end select
   end function form_of

   function whole_numbers(lowest, highest) result(text)
      integer(ikind), intent(in) :: lowest, highest
      character(:), allocatable :: text

      text = 'up to ' // integer_text(nsym) // ' whole numbers, ' // range_text(lowest, highest)
   end function whole_numbers

   subroutine read_contrl
      namelist /contrl/ jobtype, c

      jobtype = ' '
      c = 137.03599976_rkind
      call read_group('contrl', 'jobtype c')
      do while (next_assignment())
         read (assignment, nml=contrl, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      call check_text('$contrl: jobtype', jobtype, '''energy'', ''bsopt''')
      call check_real('$contrl: c', c, one, 1.0e5_rkind)
   end subroutine read_contrl

   subroutine read_nuc
      namelist /nuc/ znuc, nucmdl, rnuc, alpha
      real(rkind) :: rms

      znuc = no_real
      nucmdl = 1
      rnuc = no_real
      alpha = no_real
      call read_group('nuc', 'znuc nucmdl rnuc alpha')
      do while (next_assignment())
         read (assignment, nml=nuc, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      if (refused) return
      call check_real('$nuc: znuc', znuc, one, 137.0_rkind)
      call check_integer('$nuc: nucmdl', nucmdl, 1_ikind, 3_ikind)
      if (nucmdl == 1 .and. znuc >= c) call refuse('$nuc: znuc = ' // real_text(znuc) // &
         ' is not below the speed of light: a point nucleus binds no such atom', 'nucmdl = 2, 3')
      if (refused) return
      if (missing(rnuc) .or. missing(alpha)) then
         rms = zero
         if (abs(znuc - nint(znuc)) < 1.0e-6_rkind .and. nint(znuc) >= 1 .and. nint(znuc) <= maxelm) &
            rms = nuclear_rms_radius(nint(znuc, ikind))
         if (nucmdl == 2 .and. missing(rnuc) .and. rms <= zero) call refuse('$nuc: rnuc is missing, and znuc = ' // &
            real_text(znuc) // ' is not an element with a default')
         if (nucmdl == 3 .and. missing(alpha) .and. rms <= zero) call refuse('$nuc: alpha is missing, and znuc = ' // &
            real_text(znuc) // ' is not an element with a default')
         if (missing(rnuc)) rnuc = merge(sqrt(5.0_rkind / 3) * rms, one, rms > zero)
         if (missing(alpha)) alpha = merge(1.5_rkind / max(rms, tiny(rms))**2, one, rms > zero)
      end if
      call check_real('$nuc: rnuc', rnuc, 1.0e-8_rkind, one)
      call check_real('$nuc: alpha', alpha, one, 1.0e16_rkind)
   end subroutine read_nuc

   subroutine read_bas
      namelist /bas/ nsym, bastype, ngroup

      nsym = no_integer
      bastype = ' '
      ngroup = 1
      call read_group('bas', 'nsym bastype ngroup')
      do while (next_assignment())
         read (assignment, nml=bas, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      if (refused) return
      call check_integer('$bas: nsym', nsym, 1_ikind, maxsym)
      call check_text('$bas: bastype', bastype, '''wtbs'', ''rdin''')
      if (refused) return
      call check_integer('$bas: ngroup', ngroup, 1_ikind, nsym)
      if (jobtype == 'bsopt' .and. bastype /= 'wtbs') call refuse('$bas: bastype = ' // quoted(trim(bastype)) // &
         ', but jobtype = ''bsopt'' optimises well-tempered parameters', '''wtbs''')
      nbs = 0
      zeta = zero
      if (refused) return
      if (bastype == 'wtbs') then
         call read_wtbs
      else
         call read_exponents
      end if
   end subroutine read_bas

   subroutine read_wtbs
      namelist /wtbs/ wtbspara, nbs, start, groups
      character(*), parameter :: names(4) = [character(len=5) :: 'alpha', 'beta', 'delta', 'gamma']
      real(rkind), parameter :: lowest(4) = [smallest_exponent, 1.01_rkind, zero, zero], &
         highest(4) = [1.0e8_rkind, 1.0e2_rkind, 1.0e2_rkind, 1.0e2_rkind]
      character(:), allocatable :: field
      integer(ikind) :: l, k, failure

      wtbspara = no_real
      start = 1
      groups = 1
      call read_group('wtbs', 'wtbspara nbs start groups')
      do while (next_assignment())
         read (assignment, nml=wtbs, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      if (refused) return
      do k = 1, 4 * ngroup
         field = subscripted('$wtbs: wtbspara', k) // ' (' // trim(names(mod(k - 1, 4) + 1)) // ')'
         if (missing(wtbspara(k))) call refuse(field // ' is missing', &
            integer_text(4 * ngroup) // ' parameters for ngroup = ' // integer_text(ngroup))
         if (refused) return
         call check_real(field, wtbspara(k), lowest(mod(k - 1, 4) + 1), highest(mod(k - 1, 4) + 1))
      end do
      if (.not. all(missing(wtbspara(4 * ngroup + 1:)))) call refuse('$wtbs: wtbspara has more than ' // &
         integer_text(4 * ngroup) // ' parameters', '4 for each of ngroup groups')
      do l = 1, nsym
         call check_integer(subscripted('$wtbs: nbs', l), nbs(l), 1_ikind, maxbas)
         if (refused) return
         call check_integer(subscripted('$wtbs: start', l), start(l), 1_ikind, maxbas - nbs(l) + 1)
         call check_integer(subscripted('$wtbs: groups', l), groups(l), 1_ikind, ngroup)
      end do
      if (any(nbs(nsym + 1:) /= 0)) call refuse('$wtbs: nbs has more than nsym = ' // &
         integer_text(nsym) // ' symmetries')
      if (refused) return
      call formbs(failure)
      if (failure /= 0) call refuse('$wtbs: wtbspara = ' // real_text(wtbspara(1)) // ', ... gives exponents out of range', &
         real_text(smallest_exponent) // '..' // real_text(largest_exponent))
   end subroutine read_wtbs

   function subscripted(field, k) result(text)
      character(*), intent(in) :: field
      integer(ikind), intent(in) :: k
      character(:), allocatable :: text

      text = field // '(' // integer_text(k) // ')'
   end function subscripted

   ! Reads the number of functions of each symmetry, followed by their exponents, one per line.
   subroutine read_exponents
      integer(ikind) :: l, p
      real(rkind) :: number
      character(:), allocatable :: where_text

      do l = 1, nsym
         where_text = 'symmetry ' // integer_text(l)
         call read_number('number of functions of ' // where_text, number)
         if (refused) return
         if (abs(number - anint(number)) > zero) call refuse('number of functions of ' // where_text // ' = ' // &
            real_text(number) // ' is not a whole number', '1..' // integer_text(maxbas))
         call check_real('number of functions of ' // where_text, number, one, real(maxbas, rkind))
         if (refused) return
         nbs(l) = nint(number, ikind)
         do p = 1, nbs(l)
            call read_number('exponent ' // integer_text(p) // ' of ' // where_text, zeta(p, l))
            call check_real('exponent ' // integer_text(p) // ' of ' // where_text, zeta(p, l), &
               smallest_exponent, largest_exponent)
            if (refused) return
         end do
      end do
   end subroutine read_exponents

   subroutine read_number(what, number)
      character(*), intent(in) :: what
      real(rkind), intent(out) :: number
      character(:), allocatable :: line
      integer(ikind) :: failure
      logical :: found

      number = zero
      if (refused) return
      call next_line(line, found)
      if (refused) return
      if (.not. found) then
         call refuse(what // ' is missing: the file ends here')
         return
      end if
      call token_value(line, number, failure)
      if (failure /= 0) call refuse(what // ' = ' // quoted(line) // ' is not a number', 'one number a line')
   end subroutine read_number

   ! Reads group $newuoa. It is optional, and has no effect, if jobtype is 'energy'.
   subroutine read_newuoa
      namelist /newuoa/ rhobeg, rhoend, iprint, maxfun
      logical :: given

      rhobeg = 0.1_rkind
      rhoend = 1.0e-4_rkind
      iprint = 0
      maxfun = 500
      if (refused) return
      given = comes_next('newuoa')
      if (jobtype == 'energy' .and. .not. given) return
      call read_group('newuoa', 'rhobeg rhoend iprint maxfun')
      do while (next_assignment())
         read (assignment, nml=newuoa, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      call check_real('$newuoa: rhobeg', rhobeg, 1.0e-10_rkind, one)
      call check_real('$newuoa: rhoend', rhoend, 1.0e-14_rkind, rhobeg)
      call check_integer('$newuoa: iprint', iprint, 0_ikind, 3_ikind)
      call check_integer('$newuoa: maxfun', maxfun, 1_ikind, 1000000_ikind)
   end subroutine read_newuoa

   subroutine read_econfig
      namelist /econfig/ nclose, nopen, freeel, autogen, nconf
      integer(ikind) :: l, room, failure

      nclose = 0
      nopen = 0
      freeel = 0
      autogen = .false.
      nconf = 0
      call read_group('econfig', 'nclose nopen freeel autogen nconf')
      do while (next_assignment())
         read (assignment, nml=econfig, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      if (refused) return
      room = 0
      do l = 1, nsym
         call check_integer(subscripted('$econfig: nclose', l), nclose(l), 0_ikind, nbs(l))
         call check_integer(subscripted('$econfig: nopen', l), nopen(l), 0_ikind, min(1_ikind, nbs(l) - nclose(l)))
         room = room + nopen(l) * shell_size(l)
      end do
      if (any(nclose(nsym + 1:) /= 0)) call refuse('$econfig: nclose has shells in more than nsym = ' // &
         integer_text(nsym) // ' symmetries')
      if (any(nopen(nsym + 1:) /= 0)) call refuse('$econfig: nopen has shells in more than nsym = ' // &
         integer_text(nsym) // ' symmetries')
      if (room == 0 .and. freeel /= 0) call refuse('$econfig: freeel = ' // integer_text(freeel) // &
         ', but nopen gives no open shell', '0')
      if (room == 0 .and. nconf /= 0) call refuse('$econfig: nconf = ' // integer_text(nconf) // &
         ', but nopen gives no open shell', '0')
      if (room > 0) call check_integer('$econfig: freeel', freeel, 1_ikind, room)
      if (room > 0 .and. .not. autogen) call check_integer('$econfig: nconf', nconf, 1_ikind, maxcnf)
      if (room == 0 .and. all(nclose == 0)) call refuse('$econfig: the atom has no electrons: nclose and nopen are all 0')
      if (refused) return
      if (allocated(occup)) deallocate (occup)
      if (room == 0) then
         nconf = 0
         allocate (occup(maxsym, 0))
      else if (autogen) then
         call find_bin_configurations(failure)
         if (failure /= 0) call refuse('$econfig: the configurations that autogen gives do not fit into memory')
      else
         allocate (occup(maxsym, nconf), source=zero)
         do l = 1, nconf
            call read_configuration(l)
         end do
      end if
      call check_means
   end subroutine read_econfig

   pure function shell_size(l) result(electrons)
      integer(ikind), intent(in) :: l
      integer(ikind) :: electrons

      electrons = 2 * ((l - 1) / 2) + 2
   end function shell_size

   subroutine read_configuration(k)
      integer(ikind), intent(in) :: k
      character(:), allocatable :: line, what
      type(token_list), allocatable :: tokens(:)
      integer(ikind) :: l, open_shell, failure
      logical :: found

      if (refused) return
      what = 'configuration ' // integer_text(k)
      call next_line(line, found)
      if (refused) return
      if (.not. found) then
         call refuse(what // ' of nconf = ' // integer_text(nconf) // ' is missing: the file ends here')
         return
      end if
      call split_tokens(line, tokens)
      if (size(tokens) /= count(nopen == 1)) then
         call refuse(what // ' = ' // quoted(line) // ' has ' // integer_text(size(tokens)) // ' occupations', &
            integer_text(count(nopen == 1)) // ', one for each open shell')
         return
      end if
      open_shell = 0
      do l = 1, nsym
         if (nopen(l) == 0) cycle
         open_shell = open_shell + 1
         call token_value(tokens(open_shell)%text, occup(l, k), failure)
         if (failure /= 0) call refuse(what // ': occupation ' // quoted(tokens(open_shell)%text) // ' is not a number')
         call check_real(what // ': occupation of symmetry ' // integer_text(l), occup(l, k), zero, &
            real(shell_size(l), rkind))
         if (abs(occup(l, k) - anint(occup(l, k))) > zero) call refuse(what // ': occupation of symmetry ' // &
            integer_text(l) // ' = ' // real_text(occup(l, k)) // ' is not a whole number', &
            '0..' // integer_text(shell_size(l)) // '; list the configurations that average to it')
      end do
      if (refused) return
      if (nint(sum(occup(:, k))) /= freeel) call refuse(what // ' = ' // quoted(line) // ' has ' // &
         real_text(sum(occup(:, k))) // ' electrons', 'freeel = ' // integer_text(freeel))
   end subroutine read_configuration

   ! Refuses open shells that are empty, or full, in all configurations.
   subroutine check_means
      integer(ikind) :: l

      if (refused) return
      do l = 1, nsym
         if (nopen(l) == 0) cycle
         if (all(occup(l, :) <= zero)) call refuse(subscripted('$econfig: nopen', l) // &
            ' = 1, but no configuration has an electron in this shell', '0')
         if (all(occup(l, :) >= real(shell_size(l), rkind))) call refuse(subscripted('$econfig: nopen', l) // &
            ' = 1, but the shell is full in every configuration', '0, and one more in nclose')
      end do
   end subroutine check_means

   subroutine read_scf
      namelist /scf/ maxitr, ixtrp, dfctr, thdll, thdsl, thdss

      maxitr = 50
      ixtrp = 0
      dfctr = 0.3_rkind
      thdll = 1.0e-5_rkind
      thdsl = 1.0e-7_rkind
      thdss = 1.0e-9_rkind
      call read_group('scf', 'maxitr ixtrp dfctr thdll thdsl thdss')
      do while (next_assignment())
         read (assignment, nml=scf, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      if (refused) return
      call check_integer('$scf: maxitr', maxitr, 1_ikind, 100000_ikind)
      call check_integer('$scf: ixtrp', ixtrp, 0_ikind, 1_ikind)
      call check_real('$scf: dfctr', dfctr, zero, 0.99_rkind)
      call check_real('$scf: thdll', thdll, 1.0e-15_rkind, one)
      call check_real('$scf: thdsl', thdsl, 1.0e-15_rkind, one)
      call check_real('$scf: thdss', thdss, 1.0e-15_rkind, one)
   end subroutine read_scf

end subroutine intin
