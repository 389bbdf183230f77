# public.awk MODULE.f90: a module as its users see it, for doxygen: public types and procedures, and those bound to a public
# type, which stand under the names of the procedures behind them. A procedure behind a public interface takes its name.

# The first name in a text.
function first_name(text) {
    sub(/^[^a-zA-Z]*/, "", text)
    sub(/[^a-zA-Z0-9_].*/, "", text)
    return text
}
function after(words, text) { return first_name(substr(text, index(text, words) + length(words))) }

# What the line begins: "type", "subroutine" or "function"; its name is in `name`.
function kind_of(text) {
    if (text ~ /^   type[ ,].*::/) { name = after("::", text); return "type" }
    if (text ~ /^ *end / || !match(text, /^ +([a-z_0-9()]+ )*(subroutine|function) /)) return ""
    name = first_name(substr(text, RLENGTH))
    return substr(text, 1, RLENGTH) ~ /subroutine/ ? "subroutine" : "function"
}

BEGIN {
    while ((getline text < ARGV[1]) > 0) {
        line[++lines] = text
        if ((text ~ /^   public ::/ || continued) && text !~ /! not re-exported/) {
            continued = text ~ /&$/
            sub(/^ *public ::/, "", text)
            count = split(text, names, /[ ,&]+/)
            for (i = 1; i <= count; i++) is_public[names[i]] = 1
        } else if (kind_of(text) == "type") in_public_type = name in is_public
        else if (text ~ /^      procedure ::.*=>/ && in_public_type) is_public[after("=>", text)] = 1
        else if (text ~ /^      generic ::.*=>/ && in_public_type) {
            count = split(substr(text, index(text, "=>") + 2), names, /[ ,]+/)
            for (i = 1; i <= count; i++) is_public[names[i]] = 1
        }
        else if (text ~ /^   interface [a-z]/) interface = after("interface", text)
        else if (text ~ /^   end interface/) interface = ""
        else if (text ~ /^      procedure ::/ && interface in is_public) alias[after("::", text)] = interface
    }
    for (k = 1; k <= lines; k++) {
        text = line[k]
        if (hidden) { if (text ~ hidden) hidden = ""; continue }
        if (text ~ /^ *!/) { comment = comment text "\n"; continue }
        if (text ~ /^   interface [a-z]/) { hidden = "^   end interface"; introduction[after("interface", text)] = comment; comment = ""; continue }
        kind = kind_of(text)
        if (kind ~ /subroutine|function/ && name in alias) {
            sub(name, alias[name], text)
            comment = introduction[alias[name]] comment
            name = alias[name]
        }
        if (kind && !(name in is_public)) { hidden = "^ *end " kind " " name "$"; comment = ""; continue }
        if (kind == "type") private_part = 0
        if (text ~ /^   contains$/ || text ~ /^   end type/) private_part = 0
        if (text ~ /^      private$/) private_part = 1
        if (private_part || text ~ /^   private$/ || text ~ /^      (procedure, private|final|generic :: assignment)/) { comment = ""; continue }
        if (text ~ /^      procedure ::.*=>/)
            { comment = "      !> Called as " after("::", text) ".\n"; text = "      procedure :: " after("=>", text) }
        if (text ~ /^      generic ::/) {
            count = split(substr(text, index(text, "=>") + 2), names, /[ ,]+/)
            for (i = 1; i <= count; i++) if (names[i]) print "      !> Called as " after("::", text) ".\n      procedure :: " names[i]
            continue
        }
        printf "%s%s\n", comment, text
        # Doxygen takes an interface for a thing of its own, and its procedure for another.
        if (text ~ /^      (subroutine|function) /) printf "%s", comment
        comment = ""
    }
}
