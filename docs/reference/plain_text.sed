# In comments < and > are characters, but not in those lines that are indented as formulas, which doxygen leaves alone.
# Outside of comments these headers have them in #include only.
/^ \* {5}/b
/^ *#/b
s/([^*])</\1\&lt;/g
s/([^*-])>/\1\&gt;/g
