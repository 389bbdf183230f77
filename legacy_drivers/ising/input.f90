! Reads the input file, with all checks. An error is reported in one line on standard error.
module input
   use kinds
   use input_lines
   use isipar
   use limits
   use messages, only: integer_text, quoted, real_text
   use namelists
   implicit none
   private
   public :: read_input

contains

   subroutine read_input(name, ierr)
      character(*), intent(in) :: name
      integer(ikind), intent(out) :: ierr

      call open_input(name)
      call read_title(title)
      call read_lattice
      call read_model
      call read_run
      call read_output
      call read_end
      call close_input(ierr)
   end subroutine read_input

   ! Returns the allowed values of a field that could not be read.
   function form_of(field) result(form)
      character(*), intent(in) :: field
      character(:), allocatable :: form

      select case (field)
       case ('dimensions')
         form = '2 or 3'
       case ('extents')
         form = 'an even number for each dimension, ' // range_text(2_ikind, maxext)
       case ('betas')
         form = 'up to ' // integer_text(maxbet) // ' numbers'
       case ('field')
         form = 'a number'
       case ('seed')
         form = range_text(1_ikind, maxsee)
       case ('replicas')
         form = range_text(1_ikind, maxsys)
       case ('bins')
         form = range_text(1_ikind, maxbin)
       case ('thermalisation')
         form = range_text(0_ikind, maxswp)
       case ('sweeps_per_measurement', 'measurements_per_bin', 'refresh_interval')
         form = range_text(1_ikind, maxswp)
       case ('time_series', 'configurations')
         form = '.true. .false.'
       case default
         form = 'a text in quotation marks'
      end select
   end function form_of

   subroutine read_lattice
      namelist /lattice/ dimensions, extents, boundary

      dimensions = 2
      extents = no_integer
      boundary = 'periodic'
      call read_group('lattice', 'dimensions extents boundary')
      do while (next_assignment())
         read (assignment, nml=lattice, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      call check_integer('$lattice: dimensions', dimensions, 2_ikind, 3_ikind)
      call check_extents
   end subroutine read_lattice

   subroutine check_extents
      character(len=20) :: field_name
      integer :: axis

      if (refused) return
      if (dimensions == 2) call check_absent
      do axis = 1, dimensions
         if (refused) return
         field_name = '$lattice: extents(' // integer_text(axis) // ')'
         if (extents(axis) == no_integer) then
            call refuse(trim(field_name) // ' is missing', 'even numbers, ' // range_text(2_ikind, maxext))
         else
            call check_integer(trim(field_name), extents(axis), 2_ikind, maxext)
            if (modulo(extents(axis), 2_ikind) /= 0) &
               call refuse(trim(field_name) // ' = ' // integer_text(extents(axis)) // ' is odd', &
               'even numbers, ' // range_text(2_ikind, maxext))
         end if
         call check_text('$lattice: boundary(' // integer_text(axis) // ')', boundary(axis), &
            '''periodic'', ''antiperiodic''')
      end do
      if (refused) return
      antiperiodic = boundary == 'antiperiodic'
      nsite = product(int(extents, lkind))
      if (nsite > maxsit) call refuse('$lattice: extents make ' // integer_text(nsite) // ' sites', &
         '4..' // integer_text(maxsit))
   end subroutine check_extents

   ! Refuses a third axis of a square lattice. Its extent may be given as 1.
   subroutine check_absent
      if (extents(3) /= no_integer .and. extents(3) /= 1) call refuse('$lattice: extents(3) = ' // &
         integer_text(extents(3)) // ' in two dimensions', '1, or none')
      if (boundary(3) /= 'periodic') call refuse('$lattice: boundary(3) = ' // quoted(trim(boundary(3))) // &
         ' in two dimensions', 'none')
      extents(3) = 1
   end subroutine check_absent

   subroutine read_model
      namelist /model/ betas, field
      integer :: i

      betas = no_real
      field = zero
      call read_group('model', 'betas field')
      do while (next_assignment())
         read (assignment, nml=model, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      call check_real('$model: field', field, -maxval_field, maxval_field)
      if (refused) return
      nbeta = 0
      do i = 1, maxbet
         if (.not. missing(betas(i))) nbeta = int(i, ikind)
      end do
      if (nbeta == 0) call refuse('$model: betas are missing', 'up to ' // integer_text(maxbet) // ' numbers')
      do i = 1, nbeta
         if (refused) return
         if (missing(betas(i))) then
            call refuse('$model: betas(' // integer_text(i) // ') is missing', &
               real_text(-maxval_beta) // '..' // real_text(maxval_beta) // ' without 0')
         else
            call check_real('$model: betas(' // integer_text(i) // ')', betas(i), -maxval_beta, maxval_beta)
            if (abs(betas(i)) <= zero) call refuse('$model: betas(' // integer_text(i) // &
               ') = 0 accepts every flip, so that no average settles', &
               real_text(-maxval_beta) // '..' // real_text(maxval_beta) // ' without 0')
         end if
      end do
   end subroutine read_model

   subroutine read_run
      namelist /run/ algorithm, generator, seed, start, replicas, thermalisation, sweeps_per_measurement, &
         measurements_per_bin, bins, refresh_interval

      algorithm = 'metropolis'
      generator = 'marsaglia_zaman'
      seed = 3141592
      start = 'up'
      replicas = 1
      thermalisation = 1000
      sweeps_per_measurement = 1
      measurements_per_bin = 1000
      bins = 32
      refresh_interval = 1
      if (comes_next('run')) then
         call read_group('run', 'algorithm generator seed start replicas thermalisation sweeps_per_measurement ' // &
            'measurements_per_bin bins refresh_interval')
         do while (next_assignment())
            read (assignment, nml=run, iostat=status, iomsg=reason)
            if (status /= 0) call refuse_assignment(form_of(assigned_field))
         end do
      end if
      call check_text('$run: algorithm', algorithm, &
         '''metropolis'', ''demon_naive'', ''demon_binomial'', ''demon_microcanonical''')
      call check_text('$run: generator', generator, &
         '''marsaglia_zaman'', ''park_miller'', ''park_miller_48271'', ''philox''')
      call check_text('$run: start', start, '''up'', ''random''')
      call check_integer('$run: seed', seed, 1_ikind, maxsee)
      call check_integer('$run: replicas', replicas, 1_ikind, maxsys)
      call check_integer('$run: thermalisation', thermalisation, 0_ikind, maxswp)
      call check_integer('$run: sweeps_per_measurement', sweeps_per_measurement, 1_ikind, maxswp)
      call check_integer('$run: measurements_per_bin', measurements_per_bin, 1_ikind, maxswp)
      call check_integer('$run: bins', bins, 1_ikind, maxbin)
      call check_integer('$run: refresh_interval', refresh_interval, 1_ikind, maxswp)
      if (refused) return
      has_demons = algorithm /= 'metropolis'
      naive = algorithm == 'demon_naive'
      canonical = algorithm /= 'demon_microcanonical'
      by_philox = generator == 'philox'
      call check_together
   end subroutine read_run

   subroutine check_together
      real(rkind) :: all_sweeps

      all_sweeps = real(sweeps_per_measurement, rkind) * measurements_per_bin * bins
      if (int(nbeta, lkind) * replicas > maxsys) then
         call refuse('$run: replicas at all betas are ' // integer_text(int(nbeta, lkind) * replicas), &
            '1..' // integer_text(maxsys))
      else if (has_demons .and. abs(field) > zero) then
         call refuse('$run: algorithm = ' // quoted(trim(algorithm)) // ' with a field, ' // real_text(field), &
            'metropolis, or field = 0')
      else if (has_demons .and. any(betas(:nbeta) < zero)) then
         call refuse('$run: algorithm = ' // quoted(trim(algorithm)) // ' with negative betas, ' // &
            real_text(minval(betas(:nbeta))), 'metropolis, or betas above 0')
      else if (has_demons .and. by_philox) then
         call refuse('$run: algorithm = ' // quoted(trim(algorithm)) // ' with generator = "philox"', &
            'metropolis, or another generator')
      else if (all_sweeps > real(maxall, rkind)) then
         call refuse('$run: sweeps_per_measurement, measurements_per_bin and bins make ' // real_text(all_sweeps) // ' sweeps', &
            '1..' // integer_text(maxall))
      else if (has_demons) then
         call check_draws(thermalisation + nint(all_sweeps, lkind))
      end if
   end subroutine check_together

   ! Checks that the demons are drawn at all. They begin empty, and a run that never draws them does not depend on beta.
   subroutine check_draws(sweeps)
      integer(lkind), intent(in) :: sweeps

      if ((.not. canonical) .and. thermalisation == 0) then
         call refuse('$run: thermalisation = 0 with algorithm = "demon_microcanonical" leaves the demons empty', '1 or more')
      else if ((.not. canonical) .and. refresh_interval > thermalisation) then
         call refuse('$run: refresh_interval = ' // integer_text(refresh_interval) // ' with thermalisation = ' // &
            integer_text(thermalisation) // ' and algorithm = "demon_microcanonical" leaves the demons empty', &
            '1..' // integer_text(thermalisation))
      else if (refresh_interval > sweeps) then
         call refuse('$run: refresh_interval = ' // integer_text(refresh_interval) // ' in a run of ' // integer_text(sweeps) // &
            ' sweeps leaves the demons empty', '1..' // integer_text(sweeps))
      end if
   end subroutine check_draws

   subroutine read_output
      namelist /output/ plotname, time_series, configurations

      plotname = 'ising'
      time_series = .true.
      configurations = .false.
      if (.not. comes_next('output')) return
      call read_group('output', 'plotname time_series configurations')
      do while (next_assignment())
         read (assignment, nml=output, iostat=status, iomsg=reason)
         if (status /= 0) call refuse_assignment(form_of(assigned_field))
      end do
      call check_file_name('$output: plotname', plotname)
   end subroutine read_output

end module input
