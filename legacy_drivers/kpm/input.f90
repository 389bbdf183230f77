! Reads the input file, with all checks. An error is reported in one line on standard error.
module input
   use kinds
   use input_lines
   use kpmpar
   use limits
   use messages, only: integer_text, real_text
   use namelists
   implicit none
   private
   public :: read_input

   integer(lkind) :: sites

contains

   subroutine read_input(name, ierr)
      character(*), intent(in) :: name
      integer(ikind), intent(out) :: ierr

      call open_input(name)
      call read_title(title)
      call read_lattice
      call read_site
      call read_kpm
      call read_bounds
      call read_dos
      call read_end
      call close_input(ierr)
   end subroutine read_input

   ! Returns the allowed values of a field that could not be read.
   function form_of(field) result(form)
      character(*), intent(in) :: field
      character(:), allocatable :: form

      select case (field)
       case ('lx', 'ly', 'lz')
         form = range_text(1_ikind, maxsit)
       case ('hopping', 'energy')
         form = range_text(-maxval_energy, maxval_energy)
       case ('strength')
         form = range_text(zero, maxval_energy)
       case ('nmom')
         form = range_text(2_ikind, maxmom)
       case ('nvec')
         form = range_text(1_ikind, maxvec)
       case ('nreal')
         form = range_text(1_ikind, maxrea)
       case ('seed')
         form = range_text(1_ikind, huge(0_ikind) - 1_ikind)
       case ('lowest', 'highest')
         form = range_text(-1.0e12_rkind, 1.0e12_rkind)
       case ('margin')
         form = range_text(zero, 100.0_rkind)
       case ('lambda')
         form = range_text(1.0e-3_rkind, 100.0_rkind)
       case ('nenergy')
         form = range_text(nmom, maxene)
       case default
         form = 'a text in quotation marks'
      end select
   end function form_of

   subroutine read_lattice
      namelist /lattice/ lx, ly, lz, bcx, bcy, bcz, hopping
      character(*), parameter :: boundaries = '''periodic'', ''open'''

      lx = no_integer
      ly = 1
      lz = 1
      bcx = 'periodic'
      bcy = 'periodic'
      bcz = 'periodic'
      hopping = one
      call read_group('lattice', 'lx ly lz bcx bcy bcz hopping')
      do while (next_assignment())
         read (assignment, nml=lattice, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      call check_integer('$lattice: lx', lx, 1_ikind, maxsit)
      call check_integer('$lattice: ly', ly, 1_ikind, maxsit)
      call check_integer('$lattice: lz', lz, 1_ikind, maxsit)
      call check_text('$lattice: bcx', bcx, boundaries)
      call check_text('$lattice: bcy', bcy, boundaries)
      call check_text('$lattice: bcz', bcz, boundaries)
      call check_real('$lattice: hopping', hopping, -maxval_energy, maxval_energy)
      if (refused) return
      periodic = [bcx == 'periodic', bcy == 'periodic', bcz == 'periodic']
      sites = int(lx, lkind) * ly     ! each below 2^31
      if (sites <= maxsit) sites = sites * lz
      if (sites > maxsit) call refuse('$lattice: lx, ly, lz = ' // integer_text(lx) // ', ' // &
         integer_text(ly) // ', ' // integer_text(lz) // ' are too many sites', &
         '1..' // integer_text(maxsit) // ' in all')
   end subroutine read_lattice

   subroutine read_site
      namelist /site/ onsite, energy, strength

      onsite = 'constant'
      energy = zero
      strength = zero
      if (.not. comes_next('site')) return
      call read_group('site', 'onsite energy strength')
      do while (next_assignment())
         read (assignment, nml=site, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      call check_text('$site: onsite', onsite, '''constant'', ''box'', ''gaussian''')
      call check_real('$site: energy', energy, -maxval_energy, maxval_energy)
      call check_real('$site: strength', strength, zero, maxval_energy)
      if (onsite == 'constant' .and. abs(strength) > zero) call refuse('$site: strength = ' // real_text(strength) // &
         ', but onsite = ''constant''', '0, or onsite = ''box'', ''gaussian''')
   end subroutine read_site

   subroutine read_kpm
      namelist /kpm/ nmom, nvec, nreal, vectors, seed

      nmom = no_integer
      nvec = no_integer
      nreal = 1
      vectors = 'sign'
      seed = 1
      call read_group('kpm', 'nmom nvec nreal vectors seed')
      do while (next_assignment())
         read (assignment, nml=kpm, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      call check_integer('$kpm: nmom', nmom, 2_ikind, maxmom)
      call check_text('$kpm: vectors', vectors, '''sign'', ''gaussian'', ''uniform'', ''sites''')
      if (refused) return
      if (vectors == 'sites') call check_sites
      call check_integer('$kpm: nvec', nvec, 1_ikind, maxvec)
      call check_integer('$kpm: nreal', nreal, 1_ikind, maxrea)
      call check_integer('$kpm: seed', seed, 1_ikind, huge(0_ikind) - 1_ikind)
   end subroutine read_kpm

   ! Sets the number of vectors to that of the sites, so that the trace is exact.
   subroutine check_sites
      if (sites > maxvec) then
         call refuse('$kpm: vectors = ''sites'' with ' // integer_text(sites) // ' sites', &
            '1..' // integer_text(maxvec) // ' sites')
      else if (nvec /= no_integer .and. nvec /= sites) then
         call refuse('$kpm: nvec = ' // integer_text(nvec) // ' with vectors = ''sites''', &
            integer_text(sites) // ', which is the default')
      else
         nvec = int(sites, ikind)
      end if
   end subroutine check_sites

   subroutine read_bounds
      namelist /bounds/ method, lowest, highest, margin

      method = 'gershgorin'
      lowest = no_real
      highest = no_real
      margin = 0.01_rkind
      if (.not. comes_next('bounds')) return
      call read_group('bounds', 'method lowest highest margin')
      do while (next_assignment())
         read (assignment, nml=bounds, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      call check_text('$bounds: method', method, '''gershgorin'', ''given''')
      call check_real('$bounds: margin', margin, zero, 100.0_rkind)
      if (refused) return
      if (method == 'given') then
         call check_real('$bounds: lowest', lowest, -1.0e12_rkind, 1.0e12_rkind)
         call check_real('$bounds: highest', highest, -1.0e12_rkind, 1.0e12_rkind)
         if (.not. refused .and. highest <= lowest) call refuse('$bounds: highest = ' // real_text(highest) // &
            ' is not above lowest = ' // real_text(lowest), 'above ' // &
            real_text(lowest) // ', up to ' // real_text(1.0e12_rkind))
      else
         if (.not. missing(lowest)) call refuse('$bounds: lowest is given, but method = ''gershgorin''', &
            'method = ''given''')
         if (.not. missing(highest)) call refuse('$bounds: highest is given, but method = ''gershgorin''', &
            'method = ''given''')
      end if
   end subroutine read_bounds

   subroutine read_dos
      namelist /dos/ kernel, lambda, nenergy

      if (refused) return
      kernel = 'jackson'
      lambda = 4.0_rkind
      nenergy = 2 * nmom
      if (.not. comes_next('dos')) return
      call read_group('dos', 'kernel lambda nenergy')
      do while (next_assignment())
         read (assignment, nml=dos, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      call check_text('$dos: kernel', kernel, '''jackson'', ''lorentz'', ''fejer'', ''dirichlet''')
      call check_real('$dos: lambda', lambda, 1.0e-3_rkind, 100.0_rkind)
      call check_integer('$dos: nenergy', nenergy, nmom, maxene)
   end subroutine read_dos

end module input
