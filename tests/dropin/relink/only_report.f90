subroutine report(total)
   implicit none
   double precision, intent(in) :: total

   print '(a,es24.16)', 'sum ', total
   print '(a)', 'report: kept'
end subroutine report
