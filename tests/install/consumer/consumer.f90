! The module is found and read, and the library linked and called.
program consumer
   use, intrinsic :: iso_c_binding, only: c_int32_t
   use legato, only:
   implicit none
   interface
      function version_number() bind(c, name='legato_version_number') result(number)
         import :: c_int32_t
         integer(c_int32_t) :: number
      end function version_number
   end interface

   print '(a, i0)', 'module legato is there; Legato ', version_number()
   if (version_number() < 100) error stop 'no version'
end program consumer
