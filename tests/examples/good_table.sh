#!/usr/bin/env bash
# good_table.sh EXAMPLE TABLE: checks that the output of an example is complete and as expected.
set -eu
case $1 in
  tmm_sweep)     # 11 points with an error of a hundredth or less
    awk 'NR > 1 && $2 > 0 && $3 > 0 && $3 <= 0.0101 * $2 + 0.0005 { ++good } END { exit good != 11 }' "$2" ;;
  dfr_atoms)     # energies by an independent program (tests/fortran/dfr.f90), but here the speed of light is the default
    awk 'BEGIN { split("-2.861813332 -128.691968076 -528.684433595 0 -7447.157313185 -23610.758853903", energy) }
         NR > 1 { e = energy[NR - 1] }
         NR > 1 && $2 < 0 && $3 > 0.99998 && $3 < 1.00002 && $4 > 3 && $4 < 50 &&
           (e == 0 || ($2 - e)^2 < (1e-10 * e)^2 + 1e-16) { ++good }
         END { exit good != 6 }' "$2" ;;
  dfr_density)     # the densities make up all electrons, and so do the shells
    awk 'BEGIN { z[1] = 54; z[2] = 86 } /^#/ { ++block; next }
         block == 1 && NF == 3 { for (i = 1; i <= 2; ++i) { n[i] += ($(i + 1) + d[i]) / 2 * ($1 - r); d[i] = $(i + 1) } r = $1 }
         block > 1 && NF == 4 && $3 < 0 && $4 > 0 { shells[block - 1] += $2 }
         END { for (i = 1; i <= 2; ++i) if ((n[i] / z[i] - 1)^2 > 1e-8 || (shells[i] / z[i] - 1)^2 > 1e-12) exit 1
               exit block != 3 }' "$2" ;;
  dfr_optimise)  # the known limit; energies fall from 1e-3 above it to 1.3e-5, which ends by itself
    awk '$1 == "limit" && ($2 + 128.691969489)^2 < 1e-14 { limit = 1 }
         $1 ~ /^[0-9]+$/ { if (n++ && ($2 > energy || $3 > above)) rising = 1; else if (n == 1) first = $3
                           energy = $2; above = $3 }
         $1 == "alpha" && NF == 8 { parameters = 1 }
         $1 == "not" { not = 1 }
         END { exit !(limit && parameters && !not && !rising && n > 8 && first > 1000 && above > 12.8 && above < 12.9) }' \
      "$2" ;;
  ising_binder)  # cumulants fall with the extent where it is hot and rise where it is cold; at the critical point they are alike
    awk 'NR > 1 && NF == 8 && $4 > 0 && $4 < 0.006 && $7 > 0 && $8 > 0.5 { ++n; u[$1, $2 + 0] = $3; e[$1, $2 + 0] = $4 }
         function less(a, b, beta) { return u[a, beta] + 5 * (e[a, beta] + e[b, beta]) < u[b, beta] }
         END { exit !(n == 15 && less(8, 4, 0.2116) && less(12, 8, 0.2116) && less(4, 8, 0.2316) && less(8, 12, 0.2316) &&
                      (u[12, 0.2216] - u[8, 0.2216])^2 < 0.02^2) }' "$2" ;;
  ising_magnetisation)  # that of the infinite lattice, from where this lattice is much longer than correlations
    awk 'NR > 1 && NF == 6 && $3 > 0 && $3 < 0.01 && $6 > 0 { ++n; if ($1 >= 0.46 && ($2 - $4)^2 < 25 * $3^2) ++good }
         NR == 2 && ($2 - $4)^2 < 0.03^2 { ++good }
         $1 == 0.46 && ($5 - 1.2536903)^2 < 25 * $6^2 { known = 1 }
         END { exit !(n == 8 && good == 8 && known) }' "$2" ;;
  ising_scaling) # cumulants cross at the critical point, but for what lattices this small are off; gamma / nu is 7/4
    awk '$1 !~ /#/ && NF == 6 && $4 > 0 && $4 < 0.01 && $6 > 0 { ++n }
         $2 == "chi^2" && $11 > 0 && $11 < 25 { ++fits }
         function off(x, e, known, more) { return (x - known)^2 > 25 * e^2 + more^2 }
         { gsub(/,/, "") }
         $2 == "crossing" && $10 > 0 && $10 < 0.002 && !off($8, $10, 0.4406868, 0.0015) && !off($12, 0, 0.611, 0.01) { ++crossings }
         $2 == "gamma" && $7 > 0 && $7 < 0.03 && !off($5, $7, 1.75, 0.02) { exponent = 1 }
         END { exit !(n == 36 && fits == 4 && crossings == 2 && exponent) }' "$2" ;;
  kpm_dos)       # even in the energy within 4 errors, of integral 1; a third filling is below the middle
    awk 'NF == 4 && $2 >= 0 && $3 >= 0 && $3 < 0.05 * $2 + 1e-5 && $4 > -1e-6 { d[$1 + 0] = $2; e[$1 + 0] = $3; sum += 2 * $2 }
         $1 == "chemical" && $3 > -2.2 && $3 < -1.4 && $4 > 0 && $4 < 0.1 { potential = 1 }
         END { for (i in d) if ((d[i] - d[0 - i])^2 > 16 * (e[i]^2 + e[0 - i]^2) + 4e-12) exit 1
               exit !(length(d) == 9 && sum > 0.98 && sum < 1.02 && potential) }' "$2" ;;
  vmc_energy)    # half filling has no kinetic energy; 74 electrons have the known one; holes lower it; S(q) is largest at (pi, pi)
    awk '$1 ~ /^[0-9]+$/ && NF == 10 && $4 > 0 && $4 < 0.002 && ($5 + $6 - $3)^2 < 1e-11 && $7 < 0 && $8 > 0.3 &&
           $9 == "(3.1416," { row = 1 }
         row && $1 == 82 && $2 == 0 && $5 == 0 { half = 1 }
         row && $1 == 74 && ($3 + 0.506139)^2 < 25 * $4^2 { known = 1 }
         row { if (n++ && $3 > energy) rising = 1; energy = $3; row = 0 }
         END { exit !(n == 6 && half && known && !rising) }' "$2" ;;
  vmc_optimise)  # from the start's energy to the known one, by three stages; the optimum is that of other starts within errors
    awk '$1 ~ /^[0-9]+$/ && NF == 10 && $6 > 0 && $6 < 0.002 && $8 > 0 && $10 > 0 { ++n; ++stage[$2]; if (n == 1) first = $5 }
         function off(x, e, known) { return (x - known)^2 > 16 * (e^2 + 0.013^2) }
         $1 == "delta" && NF == 8 { sub(/,/, "", $4)
                                    found = $4 > 0 && $4 < 0.1 && !off($2, $4, 0.585) && $8 > 0 && $8 < 0.1 && !off($6, $8, 0.725) }
         $1 == "correlation" { errors = $5 + 0 > -1 && $5 + 0 < 1 && $7 > 0 && $9 + 0 > 0 && $13 < 0.001 }
         $1 == "energy" { there = $5 > 0 && $5 < 0.001 && ($3 + 0.48109)^2 < 16 * $5^2 }
         END { exit !(n > 6 && stage["descent"] && stage["survey"] >= 4 && stage["refinement"] >= 3 && first > -0.476 &&
                      found && errors && there) }' "$2" ;;
  *) echo "good_table: no example $1" >&2; exit 2 ;;
esac || { cat "$2"; echo "good_table: not the table of $1" >&2; exit 1; }
