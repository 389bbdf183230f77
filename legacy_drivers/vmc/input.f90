! Reads the input file, with all checks. An error is reported in one line on standard error.
module input
   use kinds
   use input_lines
   use limits
   use messages, only: integer_text, real_text
   use namelists
   use pair_function, only: band_energy, borders, corner
   use vmcpar
   implicit none
   private
   public :: read_input

contains

   subroutine read_input(name, ierr)
      character(*), intent(in) :: name
      integer(ikind), intent(out) :: ierr

      call open_input(name)
      call read_title(title)
      call read_model
      call read_state
      call read_sampling
      call read_start
      call read_output
      call read_end
      call close_input(ierr)
   end subroutine read_input

   ! Returns the allowed values of a field that could not be read.
   function form_of(field) result(form)
      character(*), intent(in) :: field
      character(:), allocatable :: form

      select case (field)
       case ('t', 'tp', 'tpp', 'jex', 'mu')
         form = range_text(-maxval_energy, maxval_energy)
       case ('l')
         form = lengths()
       case ('x', 'neifrac', 'selfrac', 'conditionnumbermin')
         form = range_text(zero, one)
       case ('delta')
         form = range_text(1.0e-6_rkind, maxval_energy)
       case ('nmarkov', 'naveseeds')
         form = range_text(1_ikind, maxchn)
       case ('iseedseed')
         form = range_text(1_ikind, huge(0_ikind))
       case ('neqlsweeps')
         form = range_text(0_ikind, maxswp)
       case ('nsweeps')
         form = range_text(1_ikind, maxswp)
       case ('nfac')
         form = range_text(1_ikind, maxfac)
       case ('nbins')
         form = range_text(1_ikind, maxbin)
       case ('nrecalc')
         form = range_text(1_ikind, 1000000_ikind)
       case ('nattemptmax')
         form = range_text(1_ikind, maxatt)
       case default
         form = 'a text in quotation marks'
      end select
   end function form_of

   function lengths() result(text)
      character(:), allocatable :: text

      text = '3, 5, .. ' // integer_text(maxlen)
   end function lengths

   subroutine read_model
      namelist /model/ t, tp, tpp, jex, l, x

      t = one
      tp = zero
      tpp = zero
      jex = 0.3_rkind
      l = no_integer
      x = 0.1_rkind
      call read_group('model', 't tp tpp jex l x')
      do while (next_assignment())
         read (assignment, nml=model, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      call check_real('$model: t', t, -maxval_energy, maxval_energy)
      call check_real('$model: tp', tp, -maxval_energy, maxval_energy)
      call check_real('$model: tpp', tpp, -maxval_energy, maxval_energy)
      call check_real('$model: Jex', jex, -maxval_energy, maxval_energy)
      call check_cluster
   end subroutine read_model

   subroutine check_cluster
      if (refused) return
      if (l == no_integer) then
         call refuse('$model: L is missing', lengths())
      else if (l < 3 .or. l > maxlen .or. modulo(l, 2_ikind) == 0) then
         call refuse('$model: L = ' // integer_text(l) // ' is not a length of a cluster', lengths())
      end if
      call check_real('$model: x', x, zero, one)
      if (refused) return
      nsite = l**2 + 1_ikind
      npair = pairs_at(nsite, x)
      if (npair < 1) call refuse('$model: x = ' // real_text(x) // ' leaves no electrons', 'less than 1')
   end subroutine check_cluster

   subroutine read_state
      namelist /state/ delta, mu, gap
      integer :: i

      delta = 1.5_rkind
      mu = zero
      gap = 'A'
      if (comes_next('state')) then
         call read_group('state', 'delta mu gap')
         do while (next_assignment())
            read (assignment, nml=state, iostat=status, iomsg=reason)
            if (status /= 0) call refuse_assignment(form_of(assigned_field))
         end do
      end if
      call check_real('$state: Delta', delta, 1.0e-6_rkind, maxval_energy)
      call check_real('$state: mu', mu, -maxval_energy, maxval_energy)
      call check_text('$state: gap', gap, '''A'', ''B''')
      if (refused) return
      do i = 1, size(corner)
         if (abs(band_energy(corner(i), corner(i))) < 1.0e-12_rkind) call refuse('$state: mu = ' // real_text(mu) // &
            ' makes xi_k zero where Delta_k is: the pair amplitude is not defined', 'another mu')
      end do
      if (npair < borders()) call refuse('$model: x = ' // real_text(x) // ' leaves ' // &
         integer_text(2 * npair) // ' electrons', integer_text(2 * borders()) // ' or more')
   end subroutine read_state

   subroutine read_sampling
      namelist /sampling/ nmarkov, naveseeds, iseedseed, neqlsweeps, nsweeps, nfac, nbins, nrecalc, neifrac, selfrac

      nmarkov = 32
      naveseeds = 1
      iseedseed = 13213
      neqlsweeps = 5000
      nsweeps = 10000
      nfac = 1
      nbins = 10
      nrecalc = 20
      neifrac = zero
      selfrac = 0.75_rkind
      if (comes_next('sampling')) then
         call read_group('sampling', &
            'nmarkov naveseeds iseedseed neqlsweeps nsweeps nfac nbins nrecalc neifrac selfrac')
         do while (next_assignment())
            read (assignment, nml=sampling, iostat=status, iomsg=reason)
            if (status /= 0) call refuse_assignment(form_of(assigned_field))
         end do
      end if
      call check_integer('$sampling: nMarkov', nmarkov, 1_ikind, maxchn)
      call check_integer('$sampling: naveseeds', naveseeds, 1_ikind, maxchn)
      call check_integer('$sampling: iseedseed', iseedseed, 1_ikind, huge(0_ikind))
      call check_integer('$sampling: neqlsweeps', neqlsweeps, 0_ikind, maxswp)
      call check_integer('$sampling: nsweeps', nsweeps, 1_ikind, maxswp)
      call check_integer('$sampling: nfac', nfac, 1_ikind, maxfac)
      call check_integer('$sampling: nbins', nbins, 1_ikind, maxbin)
      call check_integer('$sampling: nrecalc', nrecalc, 1_ikind, 1000000_ikind)
      call check_real('$sampling: neifrac', neifrac, zero, one)
      call check_real('$sampling: selfrac', selfrac, zero, one)
      call check_products
   end subroutine read_sampling

   subroutine check_products
      integer(lkind) :: chains

      if (refused) return
      chains = int(nmarkov, lkind) * naveseeds
      if (mod(nsweeps, nbins) /= 0) then
         call refuse('$sampling: nsweeps = ' // integer_text(nsweeps) // ' is not a multiple of nbins = ' // &
            integer_text(nbins), 'multiples of ' // integer_text(nbins) // ' up to ' // integer_text(maxswp))
      else if (chains > maxchn) then
         call refuse('$sampling: nMarkov * naveseeds = ' // integer_text(chains) // ' is out of range', &
            '1..' // integer_text(maxchn))
      else
         nchain = int(chains, ikind)
      end if
   end subroutine check_products

   subroutine read_start
      namelist /start/ nattemptmax, conditionnumbermin

      nattemptmax = 1000000
      conditionnumbermin = 1.0e-7_rkind
      if (.not. comes_next('start')) return
      call read_group('start', 'nattemptmax conditionnumbermin')
      do while (next_assignment())
         read (assignment, nml=start, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      call check_integer('$start: nattemptmax', nattemptmax, 1_ikind, maxatt)
      call check_real('$start: ConditionNumberMin', conditionnumbermin, zero, one)
   end subroutine read_start

   subroutine read_output
      namelist /output/ plotname

      plotname = 'vmc'
      if (.not. comes_next('output')) return
      call read_group('output', 'plotname')
      do while (next_assignment())
         read (assignment, nml=output, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      call check_file_name('$output: plotname', plotname)
   end subroutine read_output

end module input
