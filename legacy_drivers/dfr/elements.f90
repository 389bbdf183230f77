! Names and mass numbers of the elements.
module elements
   use kinds
   use limits, only: bohr_in_fm
   implicit none
   private
   public :: maxelm, element_name, mass_number, nuclear_rms_radius

   integer(ikind), parameter :: maxelm = 118

   character(len=2), parameter :: names(maxelm) = [ &
      'H ', 'He', 'Li', 'Be', 'B ', 'C ', 'N ', 'O ', 'F ', 'Ne', 'Na', 'Mg', 'Al', 'Si', 'P ', 'S ', 'Cl', 'Ar', 'K ', &
      'Ca', 'Sc', 'Ti', 'V ', 'Cr', 'Mn', 'Fe', 'Co', 'Ni', 'Cu', 'Zn', 'Ga', 'Ge', 'As', 'Se', 'Br', 'Kr', 'Rb', 'Sr', &
      'Y ', 'Zr', 'Nb', 'Mo', 'Tc', 'Ru', 'Rh', 'Pd', 'Ag', 'Cd', 'In', 'Sn', 'Sb', 'Te', 'I ', 'Xe', 'Cs', 'Ba', 'La', &
      'Ce', 'Pr', 'Nd', 'Pm', 'Sm', 'Eu', 'Gd', 'Tb', 'Dy', 'Ho', 'Er', 'Tm', 'Yb', 'Lu', 'Hf', 'Ta', 'W ', 'Re', 'Os', &
      'Ir', 'Pt', 'Au', 'Hg', 'Tl', 'Pb', 'Bi', 'Po', 'At', 'Rn', 'Fr', 'Ra', 'Ac', 'Th', 'Pa', 'U ', 'Np', 'Pu', 'Am', &
      'Cm', 'Bk', 'Cf', 'Es', 'Fm', 'Md', 'No', 'Lr', 'Rf', 'Db', 'Sg', 'Bh', 'Hs', 'Mt', 'Ds', 'Rg', 'Cn', 'Nh', 'Fl', &
      'Mc', 'Lv', 'Ts', 'Og']

   ! Mass numbers of the most abundant isotopes. Elements without a stable isotope have that of the longest-lived one,
   ! as listed by IUPAC.
   integer(ikind), parameter :: masses(maxelm) = [ &
      1, 4, 7, 9, 11, 12, 14, 16, 19, 20, 23, 24, 27, 28, 31, 32, 35, 40, 39, &
      40, 45, 48, 51, 52, 55, 56, 59, 58, 63, 64, 69, 74, 75, 80, 79, 84, 85, 88, &
      89, 90, 93, 98, 97, 102, 103, 106, 107, 114, 115, 120, 121, 130, 127, 132, 133, 138, 139, &
      140, 141, 142, 145, 152, 153, 158, 159, 164, 165, 166, 169, 174, 175, 180, 181, 184, 187, 192, &
      193, 195, 197, 202, 205, 208, 209, 209, 210, 222, 223, 226, 227, 232, 231, 238, 237, 244, 243, &
      247, 247, 251, 252, 257, 258, 259, 262, 267, 268, 269, 270, 269, 277, 281, 282, 285, 286, 290, &
      290, 293, 294, 294]

contains

   pure function element_name(z) result(name)
      integer(ikind), intent(in) :: z
      character(len=2) :: name

      name = '??'
      if (z >= 1 .and. z <= maxelm) name = names(z)
   end function element_name

   pure function mass_number(z) result(mass)
      integer(ikind), intent(in) :: z
      integer(ikind) :: mass

      mass = masses(z)
   end function mass_number

   ! Returns (0.836 A^(1/3) + 0.570) fm, in bohr.
   pure function nuclear_rms_radius(z) result(radius)
      integer(ikind), intent(in) :: z
      real(rkind) :: radius

      radius = (0.836_rkind * real(mass_number(z), rkind)**(one / 3) + 0.570_rkind) / bohr_in_fm
   end function nuclear_rms_radius

end module elements
