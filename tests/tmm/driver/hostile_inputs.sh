#!/usr/bin/env bash
# hostile_inputs.sh PROGRAM [LIMIT]...: tests broken inputs and broken surroundings. The program must print one clear
# line on standard error that names what is wrong, and exit with an error status, not with a signal. Complete results
# must survive. Each LIMIT is an address space in kB in which the arrays of the program fit, but not those of the
# library. LEGATO_TEST_MEMORY is empty if the address space cannot be limited, as under a sanitizer.
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
find_program "$@"
limits=(60000 100000 200000 "${@:2}")

# begin LABEL: makes an empty directory for the next case.
begin() {
  label=$1 cases=$((cases + 1))
  rm -rf "$scratch/case"; mkdir "$scratch/case"; cd "$scratch/case"
}

# refused PATTERN: runs the program, which must fail with one line that matches PATTERN, warnings of the library aside.
refused() {
  local status=0
  timeout 60 "$program" > "${stdout:-out}" 2> err < /dev/null || status=$?
  [ "$status" -ne 0 ] || wrong "exit status 0"
  [ "$status" -lt 124 ] || wrong "exit status $status"
  [ "$(grep -vc '^legato warning: ' err)" -eq 1 ] || wrong "$(wc -l < err) lines on standard error: $(head -c 300 err)"
  grep -Eq -- "$1" err || wrong "no \"$1\" in: $(head -c 300 err)"
}

# refused_input PATTERN: does the same, and checks that nothing was written.
refused_input() {
  refused "$1"
  ! ls | grep -q '^Avg-' || wrong "an output file was written"
}

# accepted: runs the program, which must succeed in silence.
accepted() {
  local status=0
  timeout 60 "$program" > out 2> err || status=$?
  [ "$status" -eq 0 ] || wrong "exit status $status: $(head -c 300 err)"
  [ ! -s err ] || wrong "standard error: $(head -c 300 err)"
}

# rows FILE: prints the complete rows of an output file.
rows() { grep -c '^[ ,] {.*}$' "$1" || true; }

line_of() { awk -v name="$1" '$1 == name { print NR }' tmseXd.inp; }

# ---- every field: missing, empty, misnamed, not a number

for field in $fields; do
  begin "$field missing"; write_input; n=$(line_of "$field")
  sed -i "${n}d" tmseXd.inp; refused_input "tmseXd.inp, line $n: $field is missing"
  begin "$field empty"; write_input "$field="; refused_input "line $n: $field has no value"
  begin "$field misnamed"; write_input; sed -i "s/^$field /Foo /" tmseXd.inp; refused_input "line $n: $field is missing.*\"Foo\""
  begin "$field a word"; write_input "$field=ten"; refused_input "line $n: $field = \"ten\" is not a.*allowed: "
  begin "$field two numbers"; write_input "$field=1 2"; refused_input "line $n: $field = \"1 2\" is not a"
  begin "$field NaN"; write_input "$field=NaN"; refused_input "line $n: $field = \"NaN\" is not a"
  begin "file ends before $field"; write_input; sed -i "$n,\$d" tmseXd.inp; refused_input "line $n: $field is missing: the file ends"
done

# ---- integers

for field in ISeed NOfIter NOfOrtho NOfPrint NOfGamma IDimenFlag IBCFlag IRNGFlag IKeepFlag IWriteFlag ISortFlag IFluxFlag \
  Width0 Width1 dWidth; do
  for value in 1.5 1e3 0x10 +; do
    begin "$field $value"; write_input "$field=$value"; refused_input "$field = .* is not an integer"
  done
  for value in 99999999999999999999999999 -99999999999999999999999999 9223372036854775808; do
    begin "$field $value"; write_input "$field=$value"; refused_input "$field = .* is out of range .allowed: "
  done
done
for field in NOfIter NOfOrtho NOfPrint NOfGamma IDimenFlag IBCFlag IRNGFlag IKeepFlag IWriteFlag ISortFlag IFluxFlag \
  Width0 Width1 dWidth; do
  begin "$field negative"; write_input "$field=-1"; refused_input "$field = \"-1\" is out of range"
done
for field in NOfIter NOfOrtho NOfPrint NOfGamma IDimenFlag Width0 Width1; do
  begin "$field zero"; write_input "$field=0"; refused_input "$field = \"0\" is out of range"
done
for wrong_flag in IDimenFlag=4 IBCFlag=3 IRNGFlag=3 IKeepFlag=2 IWriteFlag=10 ISortFlag=2 IFluxFlag=2 \
  NOfOrtho=1001 NOfGamma=4097 Width0=4097 Width1=4097 dWidth=4097; do
  begin "$wrong_flag"; write_input "$wrong_flag"; refused_input "${wrong_flag%=*} = \"${wrong_flag#*=}\" is out of range"
done

begin "ISeed below the lowest"; write_input ISeed=-2147483648
refused_input 'ISeed = "-2147483648" is out of range .allowed: -2147483647\.\.2147483647'
# ---- reals

for field in DiagDis0 DiagDis1 dDiagDis Energy0 Energy1 dEnergy Kappa Epsilon; do
  for value in Inf -Infinity . 1.2.3 1e 1e+ 3*5 1,5 0x1p3; do
    begin "$field $value"; write_input "$field=$value"; refused_input "$field = .* is not a finite number"
  done
  for value in 1e400 -1e400 1e9999999999999 1.0E+7; do
    begin "$field $value"; write_input "$field=$value"; refused_input "$field = .* is out of range"
  done
done
for setting in DiagDis0=-0.1 DiagDis1=-1 Epsilon=0 Epsilon=-0.1 Epsilon=1.5 Epsilon=1e-16 Kappa=1001; do
  begin "$setting"; write_input "$setting"; refused_input "${setting%=*} = .* is out of range"
done

# ---- what does not fit together

begin "Width1 < Width0"; write_input Width0=5 Width1=4; refused_input 'Width1 = "4" is out of range .allowed: 5\.\.'
begin "dWidth 0"; write_input Width0=4 Width1=5 dWidth=0; refused_input 'dWidth = "0"'
begin "width in 1D"; write_input IDimenFlag=1 IBCFlag=0; refused_input 'Width0 = "4" .*allowed: 1\.\.1'
begin "boundary in 1D"; write_input IDimenFlag=1 Width0=1 Width1=1; refused_input 'IBCFlag = "1" .*allowed: 0\.\.0'
begin "width in 3D"; write_input IDimenFlag=3 Width1=65; refused_input 'Width1 = "65" .*allowed: 4\.\.64'
begin "dEnergy 0"; write_input dEnergy=0; refused_input 'dEnergy = "0" does not lead from Energy0'
begin "dEnergy wrong sign"; write_input dEnergy=-0.1; refused_input 'dEnergy = "-0.1" does not lead from Energy0'
begin "dEnergy tiny"; write_input dEnergy=1e-300; refused_input 'dEnergy = .* more than 1000000 points'
begin "dEnergy one point too many"; write_input dEnergy=1e-6; refused_input 'dEnergy = .* more than 1000000 points'
begin "dDiagDis 0"; write_input IFluxFlag=0 DiagDis1=5 dDiagDis=0; refused_input 'dDiagDis = "0" does not lead from DiagDis0'
begin "dDiagDis wrong sign"; write_input IFluxFlag=0 DiagDis1=3; refused_input 'dDiagDis = "1.0" does not lead'

# ---- the input file

begin "no input"; refused_input 'tmseXd.inp: cannot be opened'
begin "input a directory"; mkdir tmseXd.inp; refused_input 'tmseXd.inp: .*directory'
begin "input empty"; : > tmseXd.inp; refused_input 'line 1: ISeed is missing'
begin "input binary"; head -c 4000 "$program" > tmseXd.inp; refused_input 'line [0-9]+: (ISeed is missing|this line has a control character|this line is too long)'
begin "input zeros"; head -c 100000 /dev/zero > tmseXd.inp; refused_input 'line 1: this line is too long .allowed: 1\.\.2000 characters'
begin "a long value"; write_input NOfIter="$(printf '%0900d' 0 | tr 0 9)"; refused_input 'line 2: NOfIter = "9999.*out of range'
for digits in 2100 50000; do
  begin "$digits zeros before the point"; write_input Kappa="$(printf "%0${digits}d" 0)1.0"
  refused_input 'line 22: this line is too long'
done
begin "two lines exchanged"; write_input; sed -i '3{h;d};4G' tmseXd.inp; refused_input 'line 3: NOfOrtho is missing.*"NOfPrint"'
begin "a line twice"; write_input; sed -i '3p' tmseXd.inp; refused_input 'line 4: NOfPrint is missing.*"NOfOrtho"'
begin "a line too many"; write_input; echo 'Extra = 1' >> tmseXd.inp; refused_input 'line 24: .*"Extra = 1"'
begin "no equals sign"; write_input; sed -i '5s/=/ /' tmseXd.inp; refused_input 'line 5: NOfGamma is missing'
for bytes in 1 8 100 250 470; do
  begin "input cut after $bytes bytes"; write_input; truncate -s "$bytes" tmseXd.inp; refused_input 'line [0-9]+: [A-Za-z0-9]+ '
done
begin "old results and a broken input"; echo precious > Avg-2D-W0004.raw; write_input Epsilon=ten; refused 'Epsilon'
[ "$(cat Avg-2D-W0004.raw)" = precious ] || wrong "an old output file was touched"

# ---- the output

for keep in 0 1; do
  begin "output a directory, IKeepFlag=$keep"; write_input IKeepFlag=$keep; mkdir Avg-2D-W0004.raw; refused 'Avg-2D-W0004.raw: .*irectory'
  begin "nowhere to write, IKeepFlag=$keep"; write_input IKeepFlag=$keep; ln -s /nowhere/file Avg-2D-W0004.raw
  refused 'Avg-2D-W0004.raw: '
done
if [ "$(id -u)" -ne 0 ]; then
  begin "read-only directory"; write_input; touch out err; chmod a-w .; refused 'Avg-2D-W0004.raw: .*ermission'; chmod u+w .
fi
for keep in 0 1; do
  begin "output a pipe, IKeepFlag=$keep"; write_input IKeepFlag=$keep; mkfifo Avg-2D-W0004.raw; refused 'Avg-2D-W0004.raw: it is not a regular file'
done
begin "disk full"; write_input; ln -s /dev/full Avg-2D-W0004.raw; refused 'Avg-2D-W0004.raw: No space left'
begin "standard output closed"; write_input; printf '#!/bin/sh\nexec "%s" >&-\n' "$program" > closed; chmod +x closed
program=./closed refused 'standard output: '
begin "standard output full"; write_input; stdout=/dev/full refused 'standard output: No space left'
[ "$(rows Avg-2D-W0004.raw)" -eq 4 ] || wrong "the first point is not on disk"
begin "second width fails"; write_input Width1=5; ln -s /dev/full Avg-2D-W0005.raw; refused 'Avg-2D-W0005.raw: No space left'
[ "$(rows Avg-2D-W0004.raw)" -eq 8 ] || wrong "the first width is not on disk"
[ "$(tail -n 1 Avg-2D-W0004.raw)" = "};" ] || wrong "the first width is not closed"

# The disk becomes full during the sweep. Its file system has one page, for the header and some points.
begin "disk full in mid-sweep"; write_input NOfGamma=1 dEnergy=0.02; mkdir page
cat > on_page <<'END'
#!/bin/sh
mount -t tmpfs -o size=4k page page || exit 125
ln -s page/raw Avg-2D-W0004.raw
"$PROGRAM"; status=$?
rm Avg-2D-W0004.raw; cp page/raw Avg-2D-W0004.raw
exit $status
END
if unshare -rm sh -c 'mount -t tmpfs -o size=4k page page' 2> /dev/null; then
  printf '#!/bin/sh\nPROGRAM="%s" exec unshare -rm sh ./on_page\n' "$program" > full_disk; chmod +x full_disk
  program=./full_disk refused 'Avg-2D-W0004.raw: No space left'
  there=$(rows Avg-2D-W0004.raw)
  [ "$there" -ge 5 ] && [ "$there" -le 40 ] || wrong "$there points on disk"
  reported=$(grep -c '^end:' out || true)
  [ "$there" -eq "$reported" ] || wrong "$reported points were reported, $there are on disk"
  sed -i 's/^IKeepFlag .*/IKeepFlag = 1/' tmseXd.inp; accepted
  [ "$(rows Avg-2D-W0004.raw)" -eq 51 ] || wrong "cannot be taken up again"
else
  echo "  $label: skipped, no file system can be mounted here"
fi

# ---- old results outlive a run that writes no point

old_results() {     # old_results LABEL [NAME=VALUE]...: makes results of one run, and the input of another
  begin "$1"; shift
  write_input; accepted; cp Avg-2D-W0004.raw before
  write_input "$@"
}
still_there() { cmp -s before Avg-2D-W0004.raw || wrong "the old output file was touched"; }

old_results "old results and an overflow" NOfOrtho=1000 Energy0=100 Energy1=101
refused 'take a smaller NOfOrtho'; still_there
case $program in
  *serial*) refusals= ;;     # the serial program reads no environment variables
  *) refusals="LEGATO_BACKEND=gpu LEGATO_NUM_THREADS=many" ;;
esac
[ -z "$refusals" ] || [ -e /dev/nvidia0 ] || refusals="$refusals LEGATO_BACKEND=cuda"
for setting in $refusals; do
  for keep in 0 1; do
    old_results "old results and $setting, IKeepFlag=$keep" IKeepFlag=$keep
    truncate -s -200 Avg-2D-W0004.raw; cp Avg-2D-W0004.raw before     # a point is left to compute
    printf '#!/bin/sh\n%s exec "%s"\n' "$setting" "$program" > with_setting; chmod +x with_setting
    program=./with_setting refused "${setting%=*}|device|CUDA"; still_there
  done
done

# ---- restart on what does not belong to it

keep_against() {     # keep_against NAME=VALUE PATTERN: makes an output file, then restarts with another parameter
  begin "restart with other $1"; write_input; accepted; cp Avg-2D-W0004.raw before
  write_input IKeepFlag=1 "$1"; refused "Avg-2D-W0004.raw: it has .*\"$2 = .*\", but the input asks for \"$2 = .*\""
  cmp -s before Avg-2D-W0004.raw || wrong "the old output file was touched"
}
for setting in ISeed=1 NOfIter=100000 NOfOrtho=5 NOfGamma=3 IBCFlag=0 IRNGFlag=1 ISortFlag=1 DiagDis0=5.0 \
  DiagDis1=4.5 dDiagDis=2.0 Energy0=0.1 Energy1=2.0 dEnergy=0.5 Kappa=0.9 Epsilon=0.04; do
  keep_against "$setting" "${setting%=*}"
done
begin "restart on a foreign file"; write_input IKeepFlag=1; echo 'Dear diary' > Avg-2D-W0004.raw
refused 'Avg-2D-W0004.raw: it is not an output file'
[ "$(cat Avg-2D-W0004.raw)" = 'Dear diary' ] || wrong "the foreign file was touched"
begin "the same, standard error closed"; write_input IKeepFlag=1; echo 'Dear diary' > Avg-2D-W0004.raw; status=0
timeout 60 "$program" > out 2>&- < /dev/null || status=$?
[ "$status" -eq 1 ] || wrong "exit status $status"
[ "$(cat Avg-2D-W0004.raw)" = 'Dear diary' ] || wrong "the complaint is in the foreign file"

# ---- the computation

begin "overflow"; write_input NOfOrtho=1000 Energy0=100 Energy1=101; refused 'take a smaller NOfOrtho'
begin "overflow in disorder"; write_input NOfOrtho=100 DiagDis0=1e6 DiagDis1=1e6; refused 'take a smaller NOfOrtho'
if [ -n "${LEGATO_TEST_MEMORY-limited}" ]; then
  for limit in "${limits[@]}"; do
    begin "memory $limit"; write_input Width0=4096 Width1=4096
    ( ulimit -v "$limit"; LEGATO_NUM_THREADS=2 refused '(not enough|out of|bytes of) memory'; echo "$bad" > bad ); bad=$(cat bad)
  done
fi

# ---- unusual, but right: these must run

begin "seed 0"; write_input ISeed=0; accepted; mv out zero; write_input ISeed=1; accepted
cmp -s zero out || wrong "does not give the numbers of seed 1"
begin "largest seed"; write_input ISeed=2147483647; accepted
begin "lowest seed"; write_input ISeed=-2147483647; accepted
begin "largest NOfIter"; write_input NOfIter=9223372036854775807; accepted
begin "comments, blanks, tabs, case, carriage returns, D exponents"; write_input; accepted; mv Avg-2D-W0004.raw plain
write_input Epsilon=5D-2 Kappa=+1. DiagDis0=.4e1
sed -i -e '1i ! a comment' -e '4i \ ' -e 's/^NOfOrtho .*/\tnofORTHO\t=\t10 ! ten/' -e 's/$/\r/' tmseXd.inp; accepted
cmp -s plain Avg-2D-W0004.raw || wrong "not the same numbers"
begin "no newline at the end"; write_input; truncate -s -1 tmseXd.inp; accepted
begin "step 0 for one point"; write_input Energy1=0.0 dEnergy=0 dWidth=0; accepted
begin "no disorder"; write_input DiagDis0=0 DiagDis1=0 NOfIter=1000; accepted
begin "smallest Epsilon"; write_input Epsilon=1e-15 NOfIter=1000; accepted
begin "a long comment, a long line with a comment"; write_input; accepted; mv Avg-2D-W0004.raw plain; write_input
sed -i -e "1i ! $(printf '%05000d' 0)" -e "s/^Kappa .*/& ! $(printf '%05000d' 0)/" tmseXd.inp; accepted
cmp -s plain Avg-2D-W0004.raw || wrong "not the same numbers"
begin "a line of 2000 characters"; write_input; accepted; mv Avg-2D-W0004.raw plain; write_input Epsilon="$(printf '%01984d' 0).05"
[ "$(tail -n 1 tmseXd.inp | wc -c)" -eq 2001 ] || wrong "a line of $(tail -n 1 tmseXd.inp | wc -c)"; accepted
cmp -s plain Avg-2D-W0004.raw || wrong "not the same numbers"
for setting in "IDimenFlag=1 IBCFlag=0 Width0=1 Width1=1" "Kappa=0"; do
  # shellcheck disable=SC2086 # several settings
  begin "exponents of exactly 0: $setting"; write_input $setting DiagDis0=0 DiagDis1=0 Energy1=0 NOfIter=1000 IWriteFlag=1 NOfPrint=50; accepted
  ! grep -Ei 'nan|inf' out Avg-* || wrong "no number"
  grep -q '^end: ' out || wrong "nothing printed"
  ! grep -Ev 'exponent = +0\.0+E\+000 error = +0\.0+E\+000' out || wrong "not 0"
done
begin "fewer iterations than a cycle"; write_input NOfIter=1; accepted
[ "$(grep -c 'k = 1 .*not converged' out)" -eq 2 ] || wrong "not reported as not converged"

echo "hostile_inputs: $cases cases, $bad complaints"
[ "$bad" -eq 0 ]
