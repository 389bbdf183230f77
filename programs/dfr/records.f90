! Stores inputs and restores them: intin reads one atom, and a batch has many.
module records
   use kinds
   use limits
   use ctlpar
   use baspar
   use elconf
   use scfpar
   implicit none
   private
   public :: atom_record, remember, recall

   type atom_record
      private
      character(len=maxtit) :: title
      character(:), allocatable :: jobtype, bastype
      real(rkind) :: c, znuc, rnuc, alpha, rhobeg, rhoend, dfctr, thdll, thdsl, thdss
      integer(ikind) :: nucmdl, iprint, maxfun, nsym, ngroup, freeel, nconf, maxitr, ixtrp
      integer(ikind), dimension(maxsym) :: nbs, start, groups, nclose, nopen
      real(rkind) :: wtbspara(4*maxsym)
      real(rkind), allocatable :: zeta(:, :), occup(:, :)
      logical :: autogen
   end type atom_record

contains

   ! Stores the input that intin has left in the modules.
   subroutine remember(atom)
      type(atom_record), intent(out) :: atom

      atom%title = title
      atom%jobtype = trim(jobtype)
      atom%c = c
      atom%znuc = znuc
      atom%nucmdl = nucmdl
      atom%rnuc = rnuc
      atom%alpha = alpha
      atom%rhobeg = rhobeg
      atom%rhoend = rhoend
      atom%iprint = iprint
      atom%maxfun = maxfun
      atom%nsym = nsym
      atom%bastype = trim(bastype)
      atom%ngroup = ngroup
      atom%wtbspara = wtbspara
      atom%nbs = nbs
      atom%start = start
      atom%groups = groups
      atom%zeta = zeta(:maxval(nbs(:nsym)), :nsym)
      atom%nclose = nclose
      atom%nopen = nopen
      atom%freeel = freeel
      atom%autogen = autogen
      atom%nconf = nconf
      atom%occup = occup
      atom%maxitr = maxitr
      atom%ixtrp = ixtrp
      atom%dfctr = dfctr
      atom%thdll = thdll
      atom%thdsl = thdsl
      atom%thdss = thdss
   end subroutine remember

   ! Restores the input in the modules. Derived quantities are left to calc_parameters.
   subroutine recall(atom)
      type(atom_record), intent(in) :: atom

      title = atom%title
      jobtype = atom%jobtype
      c = atom%c
      znuc = atom%znuc
      nucmdl = atom%nucmdl
      rnuc = atom%rnuc
      alpha = atom%alpha
      rhobeg = atom%rhobeg
      rhoend = atom%rhoend
      iprint = atom%iprint
      maxfun = atom%maxfun
      nsym = atom%nsym
      bastype = atom%bastype
      ngroup = atom%ngroup
      wtbspara = atom%wtbspara
      nbs = atom%nbs
      start = atom%start
      groups = atom%groups
      zeta = zero
      zeta(:size(atom%zeta, 1), :size(atom%zeta, 2)) = atom%zeta
      nclose = atom%nclose
      nopen = atom%nopen
      freeel = atom%freeel
      autogen = atom%autogen
      nconf = atom%nconf
      occup = atom%occup
      maxitr = atom%maxitr
      ixtrp = atom%ixtrp
      dfctr = atom%dfctr
      thdll = atom%thdll
      thdsl = atom%thdsl
      thdss = atom%thdss
   end subroutine recall

end module records
