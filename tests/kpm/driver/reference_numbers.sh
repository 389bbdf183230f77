#!/usr/bin/env bash
# reference_numbers.sh PROGRAM [slow]: compares moments and densities with exact ones, or with those that are known to
# their errors. `slow` adds the cubic lattice of 128^3 sites.
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
find_program "$@"
slow=${2:-}
cd "$scratch"
run() { "$program" "$1" > out || wrong "exit status $?"; }

# Prints <E^k> and its error, or the integral of the density, from the output.
power() { awk -v name="<E^$1>" '$1 == name { print $2, $3 }' out; }
integral() { awk '/^ Integral / { print $NF }' out; }
# within VALUE ERROR EXPECTED NUMBER: succeeds if the value is within NUMBER errors, and the error is a positive number.
within() { awk -v v="$1" -v e="$2" -v x="$3" -v n="$4" 'BEGIN { d = v - x; exit !(e > 0 && d < n * e && d > -n * e) }'; }
near() { awk -v v="$1" -v x="$2" -v most="$3" 'BEGIN { d = v - x; exit !(v != "" && d < most && d > -most) }'; }

label='ring of 64 sites'
run "$inputs/ring.inp"
awk '!/^#/ { x = ($1 == 0 || $1 == 64); d = $2 - x; if (!(d < 1e-12 && d > -1e-12)) bad = 1; rows++ }
     END { exit bad || rows != 66 }' moments.dat || wrong "moments that are not 0, but for mu_0 = mu_64 = 1"

label='infinite chain'
for kernel in jackson lorentz fejer dirichlet; do
  { cat "$inputs/chain.inp"; echo " \$dos kernel = '$kernel' \$end"; } > chain.inp
  run chain.inp
  awk '!/^#/ { x = 1 / (atan2(0, -1) * sqrt(4 - $1^2)); d = $2 / x - 1; if (!(d < 1e-9 && d > -1e-9)) bad = 1; rows++ }
       END { exit bad || rows != 512 }' dos.dat || wrong "$kernel: not 1 / (pi sqrt(4 - E^2))"
done

# Sums moments.dat with the factors of the kernels in Rev. Mod. Phys. 78, 275, section II.C.
label='kernels'
for kernel in jackson lorentz fejer dirichlet; do
  cat > kernel.inp <<INPUT
Kernels
 \$lattice lx = 5, ly = 4, lz = 3, bcx = 'open' \$end
 \$site onsite = 'box', energy = 1.0, strength = 3.0 \$end
 \$kpm nmom = 21, nvec = 30 \$end
 \$dos kernel = '$kernel', lambda = 3.5, nenergy = 40 \$end
INPUT
  run kernel.inp
  cat moments.dat dos.dat | awk -v kernel=$kernel '
    function sinh(x) { return (exp(x) - exp(-x)) / 2 }
    function factor(n, N, q) {
      q = pi / (N + 1)
      if (kernel == "jackson") return ((N - n + 1) * cos(q * n) + sin(q * n) * cos(q) / sin(q)) / (N + 1)
      if (kernel == "lorentz") return sinh(3.5 * (1 - n / N)) / sinh(3.5)
      return kernel == "fejer" ? 1 - n / N : 1
    }
    BEGIN { pi = atan2(0, -1) }
    /half_width/ { gsub(",", ""); centre = $4; half_width = $7; files++ }
    /^#/ { next }
    files == 1 { mu[$1] = $2; next }
    { x = ($1 - centre) / half_width; sum = mu[0]; before = 1; here = x; rows++
      for (n = 1; n < 21; n++) {
        sum += 2 * factor(n, 21) * mu[n] * here
        following = 2 * x * here - before; before = here; here = following
      }
      d = $2 - sum / (pi * sqrt(half_width^2 - ($1 - centre)^2)); if (!(d < 1e-12 && d > -1e-12)) bad = 1 }
    END { exit bad || rows != 40 || length(mu) != 21 }' || wrong "$kernel: another density"
done

# exact LX LY LZ BCX BCY BCZ HOPPING ENERGY: compares all moments of a clean lattice with those of its levels.
exact() {
  label="clean lattice $*"
  cat > exact.inp <<INPUT
$label
 \$lattice lx = $1, ly = $2, lz = $3, bcx = '$4', bcy = '$5', bcz = '$6', hopping = $7 \$end
 \$site energy = $8 \$end
 \$kpm nmom = 100, vectors = 'sites' \$end
INPUT
  run exact.inp
  awk -v t="$7" -v energy="$8" -v lx="$1" -v ly="$2" -v lz="$3" -v bx="$4" -v by="$5" -v bz="$6" '
    function level(k, extent, boundary) {     # k from 0
      if (extent == 1) return 0
      if (boundary == "periodic") return -2 * t * cos(2 * pi * k / extent)
      return -2 * t * cos(pi * (k + 1) / (extent + 1))
    }
    BEGIN { pi = atan2(0, -1) }
    /half_width/ { gsub(",", ""); centre = $4; half_width = $7 }
    !/^#/ { mu[$1] = $2 }
    END {
      for (x = 0; x < lx; x++) for (y = 0; y < ly; y++) for (z = 0; z < lz; z++) {
        e = (energy + level(x, lx, bx) + level(y, ly, by) + level(z, lz, bz) - centre) / half_width
        angle = atan2(sqrt(1 - e * e), e)
        for (n = 0; n < 100; n++) sum[n] += cos(n * angle)
      }
      for (n = 0; n < 100; n++) { d = mu[n] - sum[n] / (lx * ly * lz); if (!(d < 1e-12 && d > -1e-12)) bad = 1 }
      exit bad || length(mu) != 100
    }' moments.dat || wrong "moments that are not those of its levels"
  near "$(integral)" 1 1e-10 || wrong "the density integrates to $(integral)"
}
exact 13 1 1 periodic periodic periodic 1.0 0.0
exact 1 17 1 open open open 1.0 0.4
exact 1 1 2 periodic periodic periodic -1.3 0.0
exact 2 1 1 open open open 1.0 -2.0
exact 2 2 2 periodic open periodic 1.0 0.0
exact 7 5 1 periodic open open 1.0 0.0
exact 5 3 4 open periodic periodic 0.5 1.0
exact 6 6 6 periodic periodic periodic 1.0 0.0
near "$(power 2)" 6 1e-9 || wrong "<E^2> is $(power 2)"
near "$(power 4)" 90 1e-8 || wrong "<E^4> is $(power 4)"

label='cubic lattice'
run "$inputs/cubic.inp"
within $(power 2) 6 3 || wrong "<E^2> is $(power 2)"
within $(power 4) 90 3 || wrong "<E^4> is $(power 4)"
near "$(integral)" 1 1e-10 || wrong "the density integrates to $(integral)"
near "$(awk '!/^#/ && $1 < 1e-9 && $1 > -1e-9 { print $2 }' dos.dat)" 0.14267 0.0014 || wrong "another density at the centre"

label='box disorder'
cat > box.inp <<'INPUT'
Box disorder: <E^2> = 6 + W^2 / 12, <E^4> = 90 + 24 W^2 / 12 + W^4 / 80
 $lattice lx = 10, ly = 10, lz = 10 $end
 $site onsite = 'box', strength = 16.5 $end
 $kpm nmom = 64, nvec = 4, nreal = 200, seed = 3 $end
INPUT
run box.inp
within $(power 1) 0 3 || wrong "<E> is $(power 1)"
within $(power 2) 28.6875 3 || wrong "<E^2> is $(power 2)"
within $(power 4) "$(awk 'BEGIN { w = 16.5; print 90 + 2 * w^2 + w^4 / 80 }')" 3 || wrong "<E^4> is $(power 4)"
near "$(integral)" 1 1e-10 || wrong "the density integrates to $(integral)"
# The density is symmetric on average. Some of the neighbouring energies are independent.
awk '!/^#/ { rho[++n] = $2; e[n] = $3 } END { for (k = 1; k <= n / 2; k++) { d = rho[k] - rho[n + 1 - k]
  chi += d^2 / (e[k]^2 + e[n + 1 - k]^2) } exit !(chi / (n / 2) < 2) }' dos.dat || wrong "the density is not symmetric"

label='Gaussian disorder'
sed "s/'box', strength = 16.5/'gaussian', energy = 0.5, strength = 2.0/" box.inp > gaussian.inp
run gaussian.inp
within $(power 1) 0.5 3 || wrong "<E> is $(power 1)"
within $(power 2) 10.25 3 || wrong "<E^2> is $(power 2)"

# Errors of random vectors are compared with the deviations from the exact trace: chi-square of each moment for 40
# seeds.
label='errors'
for vectors in sign gaussian uniform; do
  cat > trace.inp <<INPUT
Errors
 \$lattice lx = 8, ly = 7, lz = 6, bcx = 'open' \$end
 \$kpm nmom = 12, vectors = 'sites' \$end
INPUT
  run trace.inp
  cp moments.dat exact.dat
  for seed in {1..40}; do
    sed "s/vectors = 'sites'/nvec = 50, vectors = '$vectors', seed = $seed/" trace.inp > sampled.inp
    run sampled.inp
    paste exact.dat moments.dat | grep -v '^#'
  done > pairs
  chi=$(awk '$1 > 0 { chi += (($5 - $2) / $6)^2; n++ } END { printf "%.3f", n == 440 ? chi / n : -1 }' pairs)
  echo "  $vectors: chi-square per degree of freedom $chi"
  awk -v chi="$chi" 'BEGIN { exit !(chi > 0.7 && chi < 1.4) }' || wrong "$vectors: chi-square $chi"
done

if [ "$slow" = slow ]; then
  label='cubic lattice of 128^3 sites'
  sed 's/32, ly = 32, lz = 32/128, ly = 128, lz = 128/; s/nmom = 64, nvec = 32/nmom = 256, nvec = 16/; s/129/513/' \
    "$inputs/cubic.inp" > large.inp
  run large.inp
  within $(power 2) 6 3 || wrong "<E^2> is $(power 2)"
  within $(power 4) 90 3 || wrong "<E^4> is $(power 4)"
  centre=$(awk '!/^#/ && $1 < 1e-9 && $1 > -1e-9 { print $2 }' dos.dat)
  echo "  density at the centre of the cubic lattice: $centre"
  near "$centre" 0.14267 0.00043 || wrong "the density at the centre is $centre"
fi
echo "reference_numbers: $bad wrong"
[ "$bad" -eq 0 ]
