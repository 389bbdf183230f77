! The section [method] of an input file: the parameters of the kernel polynomial method.
module spectra_method
   use kinds
   use input_lines, only: refuse, refused
   use legato
   use messages
   use spectra_fields
   implicit none
   private
   public :: method, default_method, take_method, method_text, kernel_names

   character(len=9), parameter :: kernel_names(0:3) = ['jackson  ', 'lorentz  ', 'fejer    ', 'dirichlet']
   character(len=10), parameter :: bounds_names(0:2) = ['gershgorin', 'lanczos   ', 'interval  ']
   character(len=6), parameter :: precision_names(0:1) = ['double', 'single']
   character(len=8), parameter :: start_names(0:3) = ['sign    ', 'gaussian', 'uniform ', 'phase   ']
   integer(ikind), parameter :: start_values(0:3) = [LEGATO_KPM_START_VECTORS_SIGN, LEGATO_KPM_START_VECTORS_GAUSSIAN, &
      LEGATO_KPM_START_VECTORS_UNIFORM, LEGATO_KPM_START_VECTORS_PHASE]
   integer(lkind), parameter :: most = 1048576     ! moments, vectors, realisations

   type method
      type(legato_kpm_params) :: params
      integer(ikind) :: kernel = LEGATO_KPM_KERNEL_JACKSON
      real(rkind) :: lambda = 4
   end type method

contains

   function default_method() result(this)
      type(method) :: this

      this%params = kpm_defaults()
   end function default_method

   ! Takes a line of the section.
   subroutine take_method(this, line)
      type(method), intent(inout) :: this
      type(field), intent(in) :: line
      integer(ikind) :: number

      if (line%key /= 'kernel' .and. line%key /= 'bounds') call check_words(line, 1, 1, 'a single word')
      associate (params => this%params)
         select case (line%key)
         case ('moments')
            call read_short(line, 1, 2_lkind, most, params%moments)
         case ('vectors')
            call read_short(line, 1, 1_lkind, most, params%vectors)
         case ('realisations')
            call read_short(line, 1, 1_lkind, most, params%realisations)
         case ('seed')
            call read_whole(line, 1, 0_lkind, 1000000000000000_lkind, params%seed)
         case ('start_vectors')
            number = 0
            call read_name(line, 1, start_names, number)
            params%start_vectors = start_values(number)
         case ('precision')
            call read_name(line, 1, precision_names, params%precision)
         case ('margin')
            call read_real(line, 1, zero, 10.0_rkind, params%margin)
         case ('block_width')
            call read_short(line, 1, 0_lkind, 64_lkind, params%block_width)
         case ('bounds')
            call take_bounds(params, line)
         case ('kernel')
            call take_kernel(this, line)
         case default
            call no_field(line, 'moments, vectors, realisations, seed, start_vectors, precision, margin, block_width, ' // &
                          'bounds, kernel')
         end select
      end associate
   end subroutine take_method

   subroutine take_bounds(params, line)
      type(legato_kpm_params), intent(inout) :: params
      type(field), intent(in) :: line
      integer :: words
      real(rkind), parameter :: largest = 1.0e100_rkind
      character(*), parameter :: form = 'gershgorin, lanczos [STEPS], or interval LOWEST HIGHEST'

      words = size(line%words)
      call check_words(line, 1, 3, form)
      call read_name(line, 1, bounds_names, params%bounds)
      select case (params%bounds)
      case (LEGATO_KPM_BOUNDS_GERSHGORIN)
         call check_words(line, 1, 1, form)
      case (LEGATO_KPM_BOUNDS_LANCZOS)
         call check_words(line, 1, 2, form)
         if (words == 2) call read_short(line, 2, 2_lkind, 1000_lkind, params%lanczos_steps)
      case (LEGATO_KPM_BOUNDS_INTERVAL)
         call check_words(line, 3, 3, form)
         if (refused) return
         call read_real(line, 2, -largest, largest, params%lowest)
         call read_real(line, 3, -largest, largest, params%highest)
         if (.not. refused .and. params%highest <= params%lowest) call refuse('bounds: the highest energy ' // &
            real_text(params%highest) // ' is not above the lowest one, ' // real_text(params%lowest))
      end select
   end subroutine take_bounds

   subroutine take_kernel(this, line)
      type(method), intent(inout) :: this
      type(field), intent(in) :: line
      character(*), parameter :: form = 'jackson, lorentz [LAMBDA], fejer, or dirichlet'

      call check_words(line, 1, 2, form)
      call read_name(line, 1, kernel_names, this%kernel)
      if (this%kernel /= LEGATO_KPM_KERNEL_LORENTZ) call check_words(line, 1, 1, form)
      if (size(line%words) == 2) call read_real(line, 2, 1.0e-6_rkind, 1.0e6_rkind, this%lambda)
   end subroutine take_kernel

   ! Returns a line with the parameters.
   function method_text(this) result(text)
      type(method), intent(in) :: this
      character(:), allocatable :: text
      integer :: k

      associate (params => this%params)
         text = 'moments ' // integer_text(params%moments)
         if (all(params%start_vectors /= [LEGATO_KPM_START_VECTORS_SITES, LEGATO_KPM_START_VECTORS_WAVES])) then
            do k = 0, ubound(start_values, 1)
               if (start_values(k) == params%start_vectors) text = text // ', vectors ' // integer_text(params%vectors) // &
                  ', start_vectors ' // trim(start_names(k))
            end do
         end if
         text = text // ', realisations ' // integer_text(params%realisations) // ', seed ' // integer_text(params%seed) // &
            ', precision ' // trim(precision_names(params%precision)) // ', bounds ' // trim(bounds_names(params%bounds)) // &
            ', margin ' // real_text(params%margin)
         if (params%bounds == LEGATO_KPM_BOUNDS_LANCZOS) text = text // ', lanczos_steps ' // integer_text(params%lanczos_steps)
         text = text // ', kernel ' // trim(kernel_names(this%kernel))
         if (this%kernel == LEGATO_KPM_KERNEL_LORENTZ) text = text // ' ' // real_text(this%lambda)
      end associate
   end function method_text

end module spectra_method
