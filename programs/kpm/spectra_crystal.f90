! The section [crystal] of an input file, and the Hamiltonian that it describes.
module spectra_crystal
   use kinds
   use command_line, only: append, text_item
   use expressions, only: is_name
   use hopping_sets
   use input_lines, only: refuse, refused
   use legato
   use messages
   use spectra_fields
   use spectra_matrix
   implicit none
   private
   public :: crystal, take_crystal, check_crystal, make_hamiltonian, read_site, site_text, crystal_text, &
      displacement, is_random, cell_volume, remaining_fraction

   integer, parameter :: most_orbitals = 16, most_hoppings = 1048576, most_vacancies = 10000
   real(rkind), parameter :: largest = 1.0e6_rkind     ! energies and parts of amplitudes
   character(len=9), parameter :: boundaries(0:1) = ['hard_wall', 'periodic ']

   type crystal
      logical :: given = .false.
      integer :: dimension = 0
      real(rkind) :: vectors(3, 3) = zero                       ! lattice vectors are columns
      type(text_item), allocatable :: names(:)                  ! of the orbitals
      real(rkind) :: positions(3, most_orbitals) = zero         ! in units of the lattice vectors
      real(rkind) :: energies(most_orbitals) = zero
      integer :: hoppings = 0                                   ! number in use of the arrays below
      integer, allocatable :: from(:), to(:), offsets(:, :)
      complex(rkind), allocatable :: amplitudes(:)
      type(legato_kpm_cell_lattice) :: lattice
      integer(lkind), allocatable :: vacancies(:)               ! given ones, as sites
      character(:), allocatable :: matrix                       ! path of a file, instead of a lattice
      logical, private :: has_cells = .false.
      type(hopping_set), private :: set
   end type crystal

contains

   ! Takes a line of the section.
   subroutine take_crystal(this, line)
      type(crystal), intent(inout) :: this
      type(field), intent(in) :: line

      if (.not. this%given) call begin(this)
      if (line%key == 'matrix') then
         if (this%dimension > 0) call refuse('[crystal] has lattice vectors and also a matrix', 'one of them')
      else if (line%key /= 'disorder') then
         if (allocated(this%matrix)) call refuse('[crystal] has a matrix and also ' // line%key, 'only disorder with a matrix')
      end if
      if (refused) return
      select case (line%key)
      case ('vector')
         call take_vector(this, line)
      case ('orbital')
         call take_orbital(this, line)
      case ('hopping')
         call take_hopping(this, line)
      case ('cells')
         call take_cells(this, line)
      case ('boundary')
         call take_boundary(this, line)
      case ('twist')
         call take_twist(this, line)
      case ('flux')
         call take_flux(this, line)
      case ('disorder')
         call take_disorder(this, line)
      case ('vacancies')
         call take_vacancies(this, line)
      case ('vacancy')
         call take_vacancy(this, line)
      case ('matrix')
         call check_words(line, 1, 1, 'FILE')
         if (.not. refused) this%matrix = line%words(1)%text
      case default
         call no_field(line, 'vector, orbital, hopping, cells, boundary, twist, flux, disorder, ' // &
                       'vacancies, vacancy, matrix')
      end select
   end subroutine take_crystal

   subroutine begin(this)
      type(crystal), intent(inout) :: this

      this%given = .true.
      this%lattice = kpm_cell_lattice_defaults()
      allocate (this%vacancies(0), this%names(0), this%from(16), this%to(16), this%offsets(3, 16), this%amplitudes(16))
   end subroutine begin

   subroutine take_vector(this, line)
      type(crystal), intent(inout) :: this
      type(field), intent(in) :: line
      real(rkind) :: vector(3)
      integer :: k

      if (size(this%names) > 0 .or. this%has_cells) call refuse('vector is after orbital or cells', 'vectors come first')
      if (this%dimension == 3) call refuse('there are more than 3 vectors')
      call check_words(line, 1, 3, 'X [Y [Z]]')
      if (refused) return
      vector = zero
      do k = 1, size(line%words)
         call read_real(line, k, -largest, largest, vector(k))
      end do
      this%dimension = this%dimension + 1
      this%vectors(:, this%dimension) = vector
      if (.not. refused .and. .not. independent(this%vectors(:, :this%dimension))) &
         call refuse('this vector is zero or depends on those before')
   end subroutine take_vector

   ! Returns true if no vector is a linear combination of the others.
   logical function independent(vectors)
      real(rkind), intent(in) :: vectors(:, :)
      real(rkind) :: rest(3, size(vectors, 2))
      integer :: j, k

      rest = vectors
      independent = .true.
      do k = 1, size(vectors, 2)
         do j = 1, k - 1
            rest(:, k) = rest(:, k) - dot_product(rest(:, j), rest(:, k)) * rest(:, j)
         end do
         independent = independent .and. norm2(rest(:, k)) > 1.0e-9_rkind * norm2(vectors(:, k))
         if (.not. independent) return
         rest(:, k) = rest(:, k) / norm2(rest(:, k))
      end do
   end function independent

   ! Refuses a line that needs the dimension of the lattice, if there are no vectors yet.
   logical function has_vectors(this, line)
      type(crystal), intent(in) :: this
      type(field), intent(in) :: line

      has_vectors = this%dimension > 0
      if (.not. has_vectors) call refuse(line%key // ' is before the first vector', 'vectors come first')
   end function has_vectors

   subroutine take_orbital(this, line)
      type(crystal), intent(inout) :: this
      type(field), intent(in) :: line
      integer :: d, k, o

      d = this%dimension
      if (.not. has_vectors(this, line)) return
      call check_words(line, d + 1, d + 2, 'NAME, ' // integer_text(d) // ' coordinates in units of the vectors [, ENERGY]')
      if (size(this%names) == most_orbitals) call refuse('there are more than ' // integer_text(most_orbitals) // ' orbitals')
      if (refused) return
      associate (name => line%words(1)%text)
         if (.not. is_name(name)) call refuse(line%text(1), 'a letter, then letters, digits and _')
         if (number_of_orbital(this, name) > 0) call refuse('the orbital ' // name // ' is given twice')
         if (refused) return
         call append(this%names, name)
      end associate
      o = size(this%names)
      do k = 1, d
         call read_real(line, k + 1, -1000.0_rkind, 1000.0_rkind, this%positions(k, o))
      end do
      if (size(line%words) == d + 2) call read_real(line, d + 2, -largest, largest, this%energies(o))
   end subroutine take_orbital

   pure integer function number_of_orbital(this, name)
      type(crystal), intent(in) :: this
      character(*), intent(in) :: name
      integer :: k

      number_of_orbital = 0
      do k = 1, size(this%names)
         if (this%names(k)%text == name) number_of_orbital = k
      end do
   end function number_of_orbital

   ! Reads the name of an orbital as its number.
   subroutine read_orbital(this, line, word, orbital)
      type(crystal), intent(in) :: this
      type(field), intent(in) :: line
      integer, intent(in) :: word
      integer, intent(out) :: orbital

      orbital = number_of_orbital(this, line%words(word)%text)
      if (orbital == 0) call refuse(line%text(word) // ' is not an orbital of a line before', list_of(this%names))
   end subroutine read_orbital

   function list_of(names) result(text)
      type(text_item), intent(in) :: names(:)
      character(:), allocatable :: text
      integer :: k

      text = ''
      do k = 1, size(names)
         if (k > 1) text = text // ', '
         text = text // names(k)%text
      end do
      if (size(names) == 0) text = 'orbital lines come first'
   end function list_of

   subroutine take_hopping(this, line)
      type(crystal), intent(inout) :: this
      type(field), intent(in) :: line
      integer :: d, from, to, offset(3), k
      integer(ikind) :: cells
      integer(lkind) :: earlier
      complex(rkind) :: amplitude

      d = this%dimension
      if (.not. has_vectors(this, line)) return
      call check_words(line, d + 3, d + 3, 'FROM TO, ' // integer_text(d) // ' cells between them, AMPLITUDE')
      if (this%hoppings == most_hoppings) call refuse('there are more than ' // integer_text(most_hoppings) // ' hoppings')
      if (refused) return
      call read_orbital(this, line, 1, from)
      call read_orbital(this, line, 2, to)
      offset = 0
      amplitude = zero
      do k = 1, d
         cells = 0
         call read_short(line, k + 2, -4096_lkind, 4096_lkind, cells)
         offset(k) = cells
      end do
      call read_complex(line, d + 3, largest, amplitude)
      if (from == to .and. all(offset == 0)) call refuse('this hopping is from an orbital to itself; its value belongs to ' // &
                                                         'the energy of the orbital')
      if (refused) return
      call this%set%find(from, to, offset, this%hoppings + 1_lkind, earlier)
      if (earlier > 0) then
         call refuse('hopping number ' // integer_text(earlier) // ' is between the same orbitals; the program adds ' // &
                     'the Hermitian conjugates itself')
         return
      end if
      call add_hopping(this, from, to, offset, amplitude)
   end subroutine take_hopping

   subroutine add_hopping(this, from, to, offset, amplitude)
      type(crystal), intent(inout) :: this
      integer, intent(in) :: from, to, offset(3)
      complex(rkind), intent(in) :: amplitude
      integer, allocatable :: longer(:), wider(:, :)
      complex(rkind), allocatable :: values(:)

      associate (n => this%hoppings)
         if (n == size(this%from)) then
            allocate (longer(2 * n), wider(3, 2 * n), values(2 * n))
            longer(:n) = this%from
            call move_alloc(longer, this%from)
            allocate (longer(2 * n))
            longer(:n) = this%to
            call move_alloc(longer, this%to)
            wider(:, :n) = this%offsets
            call move_alloc(wider, this%offsets)
            values(:n) = this%amplitudes
            call move_alloc(values, this%amplitudes)
         end if
         n = n + 1
         this%from(n) = from
         this%to(n) = to
         this%offsets(:, n) = offset
         this%amplitudes(n) = amplitude
      end associate
   end subroutine add_hopping

   subroutine take_cells(this, line)
      type(crystal), intent(inout) :: this
      type(field), intent(in) :: line
      integer :: k

      if (.not. has_vectors(this, line)) return
      this%has_cells = .true.
      call check_words(line, this%dimension, this%dimension, integer_text(this%dimension) // ' numbers of cells')
      do k = 1, this%dimension
         call read_whole(line, k, 1_lkind, 1099511627776_lkind, this%lattice%extents(k))
      end do
   end subroutine take_cells

   subroutine take_boundary(this, line)
      type(crystal), intent(inout) :: this
      type(field), intent(in) :: line
      integer :: k

      if (.not. has_vectors(this, line)) return
      call check_words(line, this%dimension, this%dimension, 'periodic or hard_wall for each of ' // &
                       integer_text(this%dimension) // ' vectors')
      do k = 1, this%dimension
         call read_name(line, k, boundaries, this%lattice%boundary(k))
      end do
   end subroutine take_boundary

   subroutine take_twist(this, line)
      type(crystal), intent(inout) :: this
      type(field), intent(in) :: line
      integer :: k

      if (.not. has_vectors(this, line)) return
      call check_words(line, this%dimension, this%dimension, integer_text(this%dimension) // ' phases in radians')
      do k = 1, this%dimension
         call read_real(line, k, -1000.0_rkind, 1000.0_rkind, this%lattice%twist(k))
      end do
   end subroutine take_twist

   ! In two dimensions there is one face, that of the vectors 1 and 2.
   subroutine take_flux(this, line)
      type(crystal), intent(inout) :: this
      type(field), intent(in) :: line
      integer :: k

      if (.not. has_vectors(this, line)) return
      select case (this%dimension)
      case (1)
         call refuse('a chain has no flux')
      case (2)
         call check_words(line, 1, 1, 'flux quanta through a cell')
         call read_real(line, 1, -1000.0_rkind, 1000.0_rkind, this%lattice%flux(3))
      case (3)
         call check_words(line, 3, 3, 'flux quanta through the faces of the vectors 2 and 3, 3 and 1, 1 and 2')
         do k = 1, 3
            call read_real(line, k, -1000.0_rkind, 1000.0_rkind, this%lattice%flux(k))
         end do
      end select
   end subroutine take_flux

   ! A disorder of the width 0 is allowed, as the limit of a series of runs.
   subroutine take_disorder(this, line)
      type(crystal), intent(inout) :: this
      type(field), intent(in) :: line
      character(len=6), parameter :: names(0:2) = ['box   ', 'normal', 'binary']
      integer(ikind), parameter :: kinds_of(0:2) = [LEGATO_KPM_ON_SITE_BOX, LEGATO_KPM_ON_SITE_NORMAL, LEGATO_KPM_ON_SITE_BINARY]
      integer(ikind) :: number

      number = 0
      call check_words(line, 2, 3, 'box WIDTH, normal DEVIATION, or binary DIFFERENCE CONCENTRATION')
      call read_name(line, 1, names, number)
      if (refused) return
      call check_words(line, merge(3, 2, number == 2), merge(3, 2, number == 2), &
                       trim(names(number)) // trim(merge(' DIFFERENCE CONCENTRATION', ' WIDTH                   ', number == 2)))
      if (refused) return
      this%lattice%on_site = kinds_of(number)
      call read_real(line, 2, zero, largest, this%lattice%disorder)
      if (number == 2) call read_real(line, 3, zero, one, this%lattice%concentration)
   end subroutine take_disorder

   ! Reads the concentration of random vacancies on one orbital, or on all orbitals of the lines before.
   subroutine take_vacancies(this, line)
      type(crystal), intent(inout) :: this
      type(field), intent(in) :: line
      integer :: words, orbital
      real(rkind) :: concentration
      real(rkind), parameter :: highest = 0.999999_rkind

      words = size(line%words)
      call check_words(line, 1, 2, '[ORBITAL] CONCENTRATION')
      if (refused) return
      concentration = zero
      call read_real(line, words, zero, highest, concentration)
      if (words == 2) then
         call read_orbital(this, line, 1, orbital)
         if (.not. refused) this%lattice%vacancy_concentration(orbital) = concentration
      else if (size(this%names) == 0) then
         call refuse('vacancies is before the first orbital', 'orbital lines come first')
      else
         this%lattice%vacancy_concentration(:size(this%names)) = concentration
      end if
   end subroutine take_vacancies

   subroutine take_vacancy(this, line)
      type(crystal), intent(inout) :: this
      type(field), intent(in) :: line
      integer(lkind) :: site

      call read_site(this, line, site)
      if (size(this%vacancies) == most_vacancies) call refuse('there are more than ' // integer_text(most_vacancies) // &
                                                              ' vacancies')
      if (refused) return
      if (any(this%vacancies == site)) call refuse('this vacancy is given twice')
      this%vacancies = [this%vacancies, site]
   end subroutine take_vacancy

   ! Checks the section at its end.
   subroutine check_crystal(this)
      type(crystal), intent(in) :: this

      if (.not. this%given) then
         call refuse('the section [crystal] is missing')
      else if (allocated(this%matrix)) then
         if (this%lattice%on_site == LEGATO_KPM_ON_SITE_BINARY) &
            call refuse('[crystal] disorder = binary with a matrix', 'box, normal')
      else if (this%dimension == 0) then
         call refuse('[crystal] has neither vector nor matrix')
      else if (size(this%names) == 0) then
         call refuse('[crystal] has no orbital')
      else if (.not. this%has_cells) then
         call refuse('[crystal] has no cells')
      end if
   end subroutine check_crystal

   ! Creates the Hamiltonian. ierr = 1: an error, which has been reported.
   subroutine make_hamiltonian(this, context, hamiltonian, ierr)
      type(crystal), intent(in) :: this
      type(legato_context), intent(in) :: context
      type(legato_kpm_hamiltonian), intent(inout) :: hamiltonian
      integer(ikind), intent(out) :: ierr
      type(legato_kpm_cell_lattice) :: lattice
      character(len=400) :: message
      integer :: stat, o, n

      ierr = 0
      message = ''
      stat = LEGATO_STATUS_SUCCESS
      if (allocated(this%matrix)) then
         call read_matrix(this%matrix, context, hamiltonian, ierr)
         if (ierr == 0 .and. this%lattice%on_site /= LEGATO_KPM_ON_SITE_CONSTANT) &
            call hamiltonian%set_disorder(this%lattice%on_site, this%lattice%disorder, stat, message)
      else
         o = size(this%names)
         n = this%hoppings
         lattice = this%lattice
         lattice%orbitals = int(o, ikind)
         call hamiltonian%create_cell_lattice(context, lattice, this%from(:n), this%to(:n), this%offsets(:, :n), &
            this%amplitudes(:n), this%positions(:, :o), this%energies(:o), stat=stat, errmsg=message)
         if (stat == LEGATO_STATUS_SUCCESS .and. size(this%vacancies) > 0) &
            call hamiltonian%set_vacancies(this%vacancies, stat, message)
      end if
      if (stat == LEGATO_STATUS_SUCCESS) return
      ierr = 1
      call complain('[crystal] ' // trim(message))
   end subroutine make_hamiltonian

   ! Reads a site as the name of its orbital and its cell, which count from 0, or as the row of a matrix, from 1.
   subroutine read_site(this, line, site)
      type(crystal), intent(in) :: this
      type(field), intent(in) :: line
      integer(lkind), intent(out) :: site     ! counts from 1
      integer(lkind) :: cell, place
      integer :: orbital, k

      site = 1
      if (allocated(this%matrix)) then
         call check_words(line, 1, 1, 'ROW')
         call read_whole(line, 1, 1_lkind, 2147483647_lkind, site)
         return
      end if
      if (.not. this%has_cells) call refuse(line%key // ' is given, but [crystal] has no cells', 'cells comes first')
      call check_words(line, this%dimension + 1, this%dimension + 1, 'ORBITAL and ' // integer_text(this%dimension) // &
                       ' numbers of a cell, from 0')
      if (refused) return
      call read_orbital(this, line, 1, orbital)
      place = 0
      do k = this%dimension, 1, -1
         cell = 0
         call read_whole(line, k + 1, 0_lkind, this%lattice%extents(k) - 1, cell)
         place = place * this%lattice%extents(k) + cell
      end do
      site = orbital + size(this%names) * place
   end subroutine read_site

   ! Returns the words of a site, which counts from 1.
   function site_text(this, site) result(text)
      type(crystal), intent(in) :: this
      integer(lkind), intent(in) :: site
      character(:), allocatable :: text
      integer(lkind) :: place
      integer :: k

      if (allocated(this%matrix)) then
         text = 'row ' // integer_text(site)
         return
      end if
      text = this%names(1 + modulo(site - 1, size(this%names, kind=lkind)))%text
      place = (site - 1) / size(this%names)
      do k = 1, this%dimension
         text = text // ' ' // integer_text(modulo(place, this%lattice%extents(k)))
         place = place / this%lattice%extents(k)
      end do
   end function site_text

   ! Returns the way from one site to another in units of the lattice vectors. Along periodic directions it is the shortest
   ! one in numbers of cells.
   pure function displacement(this, from, to) result(fraction)
      type(crystal), intent(in) :: this
      integer(lkind), intent(in) :: from, to
      real(rkind) :: fraction(3)
      integer(lkind) :: orbitals, first, last, cells
      integer :: k

      orbitals = size(this%names)
      fraction = this%positions(:, 1 + modulo(to - 1, orbitals)) - this%positions(:, 1 + modulo(from - 1, orbitals))
      first = (from - 1) / orbitals
      last = (to - 1) / orbitals
      do k = 1, this%dimension
         cells = this%lattice%extents(k)
         fraction(k) = fraction(k) + real(modulo(last, cells) - modulo(first, cells), rkind)
         if (this%lattice%boundary(k) == LEGATO_KPM_BOUNDARY_PERIODIC) &
            fraction(k) = fraction(k) - cells * anint(fraction(k) / cells)
         first = first / cells
         last = last / cells
      end do
   end function displacement

   ! Returns true if the realisations differ.
   pure logical function is_random(this)
      type(crystal), intent(in) :: this

      is_random = (this%lattice%on_site /= LEGATO_KPM_ON_SITE_CONSTANT .and. this%lattice%disorder > zero) .or. &
         any(this%lattice%vacancy_concentration(:size(this%names)) > zero)
   end function is_random

   ! Returns the volume of a unit cell, which is an area or a length in fewer than three dimensions.
   pure function cell_volume(this) result(volume)
      type(crystal), intent(in) :: this
      real(rkind) :: volume, rest(3, 3)
      integer :: j, k

      ! The product of the parts of the vectors that are perpendicular to those before.
      rest = this%vectors
      volume = one
      do k = 1, this%dimension
         do j = 1, k - 1
            rest(:, k) = rest(:, k) - dot_product(rest(:, j), rest(:, k)) * rest(:, j)
         end do
         volume = volume * norm2(rest(:, k))
         rest(:, k) = rest(:, k) / norm2(rest(:, k))
      end do
   end function cell_volume

   ! Returns the share of the sites that are not vacancies; for random vacancies it is the expected value.
   pure function remaining_fraction(this) result(fraction)
      type(crystal), intent(in) :: this
      real(rkind) :: fraction, cells
      integer :: o

      cells = product(real(this%lattice%extents, rkind))
      fraction = zero
      do o = 1, size(this%names)
         fraction = fraction + (1 - this%lattice%vacancy_concentration(o)) * &
            (cells - count(modulo(this%vacancies - 1, size(this%names, kind=lkind)) == o - 1))
      end do
      fraction = fraction / (cells * size(this%names))
   end function remaining_fraction

   ! Returns a line that tells what has been read.
   function crystal_text(this) result(text)
      type(crystal), intent(in) :: this
      character(:), allocatable :: text
      integer :: k

      if (allocated(this%matrix)) then
         text = 'matrix ' // this%matrix
         return
      end if
      text = ''
      do k = 1, this%dimension
         if (k > 1) text = text // ' x '
         text = text // integer_text(this%lattice%extents(k))
      end do
      text = text // ' cells, ' // integer_text(size(this%names)) // ' orbitals (' // list_of(this%names) // '), ' // &
         integer_text(this%hoppings) // ' hoppings'
   end function crystal_text

end module spectra_crystal
