! The names of the formats of basis set files, and the extensions of their files.
module basis_formats
   use legato
   implicit none
   private
   public :: format_names, format_extensions, format_numbers, format_named, format_of_file

   character(*), parameter :: format_names(4) = [character(len=10) :: 'bse-json', 'nwchem', 'gaussian94', 'dirac']
   character(*), parameter :: format_extensions(4) = [character(len=6) :: '.json', '.nw', '.gbs', '.dirac']
   integer, parameter :: format_numbers(4) = [LEGATO_DFR_BASIS_FORMAT_BSE_JSON, LEGATO_DFR_BASIS_FORMAT_NWCHEM, &
                                              LEGATO_DFR_BASIS_FORMAT_GAUSSIAN94, LEGATO_DFR_BASIS_FORMAT_DIRAC]

contains

   ! Returns the position of a format in the lists, or 0 if there is none of this name.
   pure integer function format_named(name)
      character(*), intent(in) :: name

      format_named = findloc(format_names == name, .true., dim=1)
   end function format_named

   ! Returns the position of the format that the extension of a file stands for, or 0.
   pure integer function format_of_file(file)
      character(*), intent(in) :: file
      integer :: dot

      dot = index(file, '.', back=.true.)
      format_of_file = 0
      if (dot > 0) format_of_file = findloc(format_extensions == file(dot:), .true., dim=1)
   end function format_of_file

end module basis_formats
