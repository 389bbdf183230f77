! The printed results of tmm_scaling, and its files for plots.
module scaling_output
   use, intrinsic :: iso_c_binding, only: c_int64_t
   use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
   use kinds
   use legato
   use messages
   use scaling_input, only: table
   use command_line, only: refuse
   use scaling_options
   implicit none
   private
   public :: print_heading, print_row, print_refused, print_fit, write_plot

   integer, parameter :: curve_points = 200

contains

   subroutine print_heading(data)
      type(table), intent(in) :: data

      call print_line('# data: ' // integer_text(size(data%value)) // ', M from ' // short(minval(data%length)) // ' to ' // &
                      short(maxval(data%length)) // ', W from ' // short(minval(data%control)) // ' to ' // &
                      short(maxval(data%control)))
      call print_line('# n1 n2 m1 m2  parameters      chi2       Q           W_c       +-            nu       +-' // &
                      '             y       +-      critical       +-  status')
   end subroutine print_heading

   subroutine print_row(orders, fit)
      integer(ikind), intent(in) :: orders(4)
      type(legato_fss_fit), intent(in) :: fit
      character(len=200) :: line

      write (line, '(i4, 3i3, i12, es11.3, f8.4, 4(es14.6, es9.2))') orders, fit%parameters, fit%chi2, &
         fit%goodness_of_fit, fit%critical_point, fit%critical_point_error, fit%exponent, fit%exponent_error, &
         fit%irrelevant_exponent, fit%irrelevant_exponent_error, fit%critical_value, fit%critical_value_error
      call print_line(trim(line) // '  ' // words_of(fit))
   end subroutine print_row

   subroutine print_refused(orders, message)
      integer(ikind), intent(in) :: orders(4)
      character(*), intent(in) :: message
      character(len=20) :: line

      write (line, '(i4, 3i3)') orders
      call print_line(trim(line) // '  refused: ' // message)
   end subroutine print_refused

   function words_of(fit) result(words)
      type(legato_fss_fit), intent(in) :: fit
      character(:), allocatable :: words

      select case (fit%status)
      case (LEGATO_FSS_FIT_STATUS_CONVERGED)
         words = 'converged'
      case (LEGATO_FSS_FIT_STATUS_UNDETERMINED)
         words = 'undetermined'
      case default
         words = 'not converged'
      end select
      if (fit%resamples_failed > 0) words = words // ', ' // integer_text(int(fit%resamples_failed, lkind)) // ' of ' // &
         integer_text(int(fit%resamples_done, lkind)) // ' resamples not'
   end function words_of

   ! Prints every parameter with its error and its 95 % interval.
   subroutine print_fit(fss, orders, fit)
      type(legato_fss), intent(in) :: fss
      integer(ikind), intent(in) :: orders(4)
      type(legato_fss_fit), intent(in) :: fit
      real(rkind) :: values(fit%parameters), errors(fit%parameters), low(fit%parameters), high(fit%parameters)
      character(len=200) :: line
      integer :: i

      call fss%parameters(values, errors, low, high)
      call print_line('')
      call print_line('# parameter            value         error      95 % interval')
      do i = 1, int(fit%parameters)
         write (line, '(a10, es18.8, es14.3, 2es17.8)') name_of(i, orders), values(i), errors(i), low(i), high(i)
         call print_line(trim(line))
      end do
   end subroutine print_fit

   ! The name of parameter i, in the order of legato_fss_parameters.
   function name_of(i, orders) result(name)
      integer, intent(in) :: i
      integer(ikind), intent(in) :: orders(4)
      character(:), allocatable :: name
      integer(ikind) :: place

      place = int(i, ikind)
      if (place <= 2) then
         name = merge('W_c', 'nu ', place == 1)
         return
      end if
      place = place - 2_ikind
      if (orders(2) > 0) then
         name = 'y'
         if (place == 1) return
         place = place - 1_ikind
      end if
      name = 'b_' // integer_text(place + 1_ikind)
      if (place <= orders(3) - 1) return
      place = place - (orders(3) - 1_ikind)
      name = 'c_' // integer_text(place)
      if (place <= orders(4)) return
      place = place - orders(4) - 1_ikind
      name = 'a_' // integer_text(modulo(place, orders(1) + 1_ikind)) // ',' // integer_text(place / (orders(1) + 1_ikind))
   end function name_of

   ! Writes NAME-data.dat, NAME-curves.dat, NAME-collapse.dat, NAME-function.dat and NAME.gp.
   subroutine write_plot(name, fss, fit, data, inverse, ierr)
      character(*), intent(in) :: name
      type(legato_fss), intent(in) :: fss
      type(legato_fss_fit), intent(in) :: fit
      type(table), intent(in) :: data
      logical, intent(in) :: inverse
      integer(ikind), intent(inout) :: ierr
      real(rkind) :: corrected(size(data%value)), fields(size(data%value)), at(curve_points), curve(curve_points)
      integer :: i

      corrected = data%value
      call fss%collapse(data%length, data%control, corrected, fields)
      call write_columns(name // '-data.dat', 'M W value error', reshape([data%length, data%control, data%value, data%error], &
                         [size(data%value), 4]), ierr)
      call write_columns(name // '-collapse.dat', 'M phi_1 corrected_value error', &
                         reshape([data%length, fields, corrected, data%error], [size(data%value), 4]), ierr)
      at = [(minval(fields) + (maxval(fields) - minval(fields)) * i / (curve_points - 1), i = 0, curve_points - 1)]
      call fss%scaling_function(at, curve)
      call write_columns(name // '-function.dat', 'phi_1 F(phi_1,0)', reshape([at, curve], [curve_points, 2]), ierr)
      call write_curves(name, fss, data, ierr)
      call write_script(name, fit, data, inverse, ierr)
   end subroutine write_plot

   ! Two empty lines separate the curves of different widths.
   subroutine write_curves(name, fss, data, ierr)
      character(*), intent(in) :: name
      type(legato_fss), intent(in) :: fss
      type(table), intent(in) :: data
      integer(ikind), intent(inout) :: ierr
      real(rkind), allocatable :: widths(:), rows(:, :)
      real(rkind) :: at(curve_points), curve(curve_points), errors(curve_points), width(curve_points)
      integer :: i, k

      call list_different(data%length, widths)
      at = [(minval(data%control) + (maxval(data%control) - minval(data%control)) * i / (curve_points - 1), &
             i = 0, curve_points - 1)]
      allocate (rows(size(widths) * curve_points, 4))
      do k = 1, size(widths)
         width = widths(k)
         call fss%curve(width, at, curve, errors)
         rows((k - 1) * curve_points + 1:k * curve_points, :) = reshape([width, at, curve, errors], [curve_points, 4])
      end do
      call write_columns(name // '-curves.dat', 'M W F error', rows, ierr, block=curve_points)
   end subroutine write_curves

   ! A number without a decimal point if it is whole.
   function short(number) result(text)
      real(rkind), intent(in) :: number
      character(:), allocatable :: text

      text = real_text(number)
      if (len(text) > 2) then
         if (text(len(text) - 1:) == '.0') text = text(:len(text) - 2)
      end if
   end function short

   subroutine list_different(values, list)
      real(rkind), intent(in) :: values(:)
      real(rkind), allocatable, intent(out) :: list(:)
      integer :: i

      allocate (list(0))
      do i = 1, size(values)
         if (.not. any(abs(list - values(i)) <= zero)) list = [list, values(i)]
      end do
   end subroutine list_different

   subroutine write_columns(name, heading, rows, ierr, block)
      character(*), intent(in) :: name, heading
      real(rkind), intent(in) :: rows(:, :)
      integer(ikind), intent(inout) :: ierr
      integer, intent(in), optional :: block
      character(len=200) :: reason
      integer :: unit, status, i

      if (ierr /= 0) return
      open (newunit=unit, file=name, status='replace', action='write', iostat=status, iomsg=reason)
      if (status == 0) write (unit, '(2a)', iostat=status, iomsg=reason) '# ', heading
      do i = 1, size(rows, 1)
         if (present(block) .and. status == 0 .and. i > 1) then
            if (modulo(i - 1, block) == 0) write (unit, '(/)', iostat=status, iomsg=reason)
         end if
         if (status == 0) write (unit, '(*(es24.16))', iostat=status, iomsg=reason) rows(i, :)
      end do
      call close_file(name, unit, status, reason, ierr)
   end subroutine write_columns

   subroutine close_file(name, unit, failed, failure, ierr)
      character(*), intent(in) :: name, failure
      integer, intent(in) :: unit, failed
      integer(ikind), intent(inout) :: ierr
      character(len=200) :: reason
      integer :: status

      status = 0
      reason = failure
      if (failed == 0) then
         flush (unit, iostat=status, iomsg=reason)
         if (status == 0) close (unit, iostat=status, iomsg=reason)
      end if
      if (failed /= 0 .or. status /= 0) call refuse(name // ': cannot be written: ' // trim(reason), ierr)
   end subroutine close_file

   subroutine write_script(name, fit, data, inverse, ierr)
      character(*), intent(in) :: name
      type(legato_fss_fit), intent(in) :: fit
      type(table), intent(in) :: data
      logical, intent(in) :: inverse
      integer(ikind), intent(inout) :: ierr
      character(:), allocatable :: value, base
      real(rkind), allocatable :: widths(:)
      character(len=200) :: reason
      integer :: unit, status, k

      if (ierr /= 0) return
      value = merge('1 / {/Symbol L}', '{/Symbol L}    ', inverse)
      base = name(index(name, '/', back=.true.) + 1:)
      call list_different(data%length, widths)
      open (newunit=unit, file=name // '.gp', status='replace', action='write', iostat=status, iomsg=reason)
      if (status == 0) write (unit, '(a)', iostat=status, iomsg=reason) &
         '# gnuplot ' // base // '.gp in this folder writes ' // base // '.png', &
         'set terminal pngcairo size 1200,500 enhanced', 'set output "' // base // '.png"', &
         'set multiplot layout 1,2', 'set xlabel "W"', 'set ylabel "' // trim(value) // '"', &
         'set arrow 1 from first ' // real_text(fit%critical_point) // ', graph 0 to first ' // &
         real_text(fit%critical_point) // ', graph 1 nohead dashtype 2', 'set key top'
      do k = 1, size(widths)
         if (status == 0) write (unit, '(a)', iostat=status, iomsg=reason) merge('plot ', '     ', k == 1) // plot_of(k)
      end do
      if (status == 0) write (unit, '(a)', iostat=status, iomsg=reason) &
         'unset arrow 1', 'set xlabel "relevant field {/Symbol f}_1"', &
         'set ylabel "' // trim(value) // ' without corrections"', &
         'plot "' // base // '-collapse.dat" using 2:3:4:1 with yerrorbars pt 7 ps 0.5 lc palette notitle, \', &
         '     "' // base // '-function.dat" with lines lc "black" notitle', 'unset multiplot'
      call close_file(name // '.gp', unit, status, reason, ierr)

   contains

      ! The data and the curve of a width, with a comma if another width follows.
      function plot_of(k) result(text)
         integer, intent(in) :: k
         character(:), allocatable :: text

         text = '"' // base // '-data.dat" using ($1==' // real_text(widths(k)) // &
            ' ? $2 : 1/0):3:4 with yerrorbars pt 7 ps 0.5 lc ' // integer_text(int(k, ikind)) // &
            ' title "M = ' // short(widths(k)) // '", "' // base // '-curves.dat" index ' // &
            integer_text(int(k - 1, ikind)) // ' using 2:3 with lines lc ' // integer_text(int(k, ikind)) // ' notitle'
         if (k < size(widths)) text = text // ', \'
      end function plot_of
   end subroutine write_script

end module scaling_output
