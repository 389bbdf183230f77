# Shared by the tests of tmsexd, which source it.
. "$(dirname "${BASH_SOURCE[0]}")/../../driver.sh"

fields="ISeed NOfIter NOfOrtho NOfPrint NOfGamma IDimenFlag IBCFlag IRNGFlag IKeepFlag IWriteFlag ISortFlag IFluxFlag
Width0 Width1 dWidth DiagDis0 DiagDis1 dDiagDis Energy0 Energy1 dEnergy Kappa Epsilon"

# write_input [NAME=VALUE]...: writes tmseXd.inp in the current directory. Fields that are not named get values for a
# quick run.
write_input() {
  local -A value=([ISeed]=1277 [NOfIter]=1000000 [NOfOrtho]=10 [NOfPrint]=100 [NOfGamma]=4096 [IDimenFlag]=2 [IBCFlag]=1
    [IRNGFlag]=0 [IKeepFlag]=0 [IWriteFlag]=0 [ISortFlag]=0 [IFluxFlag]=1 [Width0]=4 [Width1]=4 [dWidth]=1
    [DiagDis0]=4.0 [DiagDis1]=4.0 [dDiagDis]=1.0 [Energy0]=0.0 [Energy1]=1.0 [dEnergy]=1.0 [Kappa]=1.0 [Epsilon]=0.05)
  local setting name
  for setting in "$@"; do value[${setting%%=*}]=${setting#*=}; done
  for name in $fields; do printf '%-10s = %s\n' "$name" "${value[$name]}"; done > tmseXd.inp
}
