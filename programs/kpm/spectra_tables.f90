! Tables NAME.dat and scripts NAME.gp, with which gnuplot plots them. Both are complete or as before.
module spectra_tables
   use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
   use kinds
   use legato, only: legato_version
   use messages
   use part_files
   use run_control, only: stop_on
   use spectra_fields, only: lines_omitted, lines_read
   implicit none
   private
   public :: open_table, close_table, put_text, put_row, put_blank, put_gap, put_plot, put_band, begin_plot

   integer, parameter :: table = 1, script = 2, most_curves = 20     ! curves of a plot

contains

   ! Opens the table and the script, and writes the head of the table: the input, and the lines of `head`.
   subroutine open_table(name, title)
      character(*), intent(in) :: name, title
      integer(ikind) :: ierr
      integer :: k

      call open_files([character(len=len(name) + 4) :: name // '.dat', name // '.gp'], ierr)
      call stop_on(ierr)
      call put_text('kpm_spectra ' // legato_version() // ': ' // title)
      call put_text('input:')
      do k = 1, size(lines_read)
         call put_text('  ' // lines_read(k)%text)
      end do
      if (lines_omitted > 0) call put_text('  and ' // integer_text(lines_omitted) // ' lines')
   end subroutine open_table

   ! Completes both files. A failure ends the program.
   subroutine close_table(name)
      character(*), intent(in) :: name
      integer(ikind) :: ierr

      call close_files(ierr)
      call stop_on(ierr)
      call print_line(name // '.dat')
   end subroutine close_table

   ! Writes a line of comment.
   subroutine put_text(text)
      character(*), intent(in) :: text

      call put_line(table, '# ' // text)
   end subroutine put_text

   ! Writes numbers, and text after them.
   subroutine put_row(numbers, text)
      real(rkind), intent(in) :: numbers(:)
      character(*), intent(in), optional :: text
      character(len=24 * size(numbers)) :: row
      integer :: k

      do k = 1, size(numbers)
         if (ieee_is_finite(numbers(k))) then
            write (row(24 * k - 23:24 * k), '(es24.15e3)') numbers(k)
         else
            row(24 * k - 23:24 * k) = repeat(' ', 21) // 'NaN'
         end if
      end do
      if (present(text)) then
         call put_line(table, row // '  ' // text)
      else
         call put_line(table, row)
      end if
   end subroutine put_row

   ! Ends a block of the table: two empty lines, as gnuplot needs them.
   subroutine put_blank
      call put_line(table, '')
      call put_line(table, '')
   end subroutine put_blank

   ! Ends a row of a surface: one empty line.
   subroutine put_gap
      call put_line(table, '')
   end subroutine put_gap

   subroutine put_plot(text)
      character(*), intent(in) :: text

      call put_line(script, text)
   end subroutine put_plot

   ! Begins the script.
   subroutine begin_plot(name, x_label, y_label)
      character(*), intent(in) :: name, x_label, y_label
      character(:), allocatable :: base

      base = plot_name(name)
      call put_plot('# gnuplot ' // base // '.gp in this folder writes ' // base // '.png')
      call put_plot('set terminal pngcairo size 1000,650 enhanced font ",13"')
      call put_plot('set output "' // base // '.png"')
      call put_plot('set xlabel "' // x_label // '"')
      call put_plot('set ylabel "' // y_label // '"')
      call put_plot('set datafile missing "NaN"')
      call put_plot('set style fill transparent solid 0.3 noborder')
      call put_plot('set grid lc "gray80"')
      call put_plot('set key top right')
      call put_plot('data = "' // base // '.dat"')
   end subroutine begin_plot

   ! Writes the part of the plot command for block k of `count` blocks: a curve with a band of its standard error. `x` and `y`
   ! are numbers of columns; the error is in column y + 1. Blocks after the first ones are left out.
   subroutine put_band(k, count, x, y, title)
      integer, intent(in) :: k, count, x, y
      character(*), intent(in) :: title
      character(:), allocatable :: from, first, value, error

      if (k > most_curves) return
      from = 'data index ' // integer_text(k - 1) // ' using '
      first = integer_text(x)
      value = integer_text(y)
      error = integer_text(y + 1)
      call put_plot(merge('plot ', '     ', k == 1) // from // first // ':($' // value // '-$' // error // '):($' // value // &
                    '+$' // error // ') with filledcurves lc ' // integer_text(k) // ' notitle, \')
      call put_plot('     ' // from // first // ':' // value // ' with lines lw 1.5 lc ' // integer_text(k) // ' title "' // &
                    title // merge('", \', '"   ', k < min(count, most_curves)))
   end subroutine put_band

   ! Returns the name without folders.
   function plot_name(name) result(base)
      character(*), intent(in) :: name
      character(:), allocatable :: base

      base = name(index(name, '/', back=.true.) + 1:)
   end function plot_name

end module spectra_tables
