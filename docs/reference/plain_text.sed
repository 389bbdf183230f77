# In comments < and > are characters, but not in those lines that are indented as formulas, which doxygen leaves alone.
/^ \* {5}/b
/^ *\/?\*|\/\*\*/ {
    s/([^*])</\1\&lt;/g
    s/([^*-])>/\1\&gt;/g
}
