#!/usr/bin/env python3
"""tools/reference_source.py, on a small header and a small module."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "tools"))
import reference_source  # noqa: E402

MODULE = """!> A module.
module a
   private
   public :: thing, work, &
      text
   public :: inner      ! not re-exported to users

   !> Of each text.
   interface text
      procedure :: text_of
   end interface text

   !> A thing.
   type, extends(base) :: thing
      private
      !> Hidden.
      integer :: x
   contains
      procedure :: go => thing_go
      procedure, private :: one, two
      generic :: both => one, two
      final :: thing_final
   end type thing

   !> Internal.
   type :: other
   contains
      procedure :: go => other_go
   end type other

contains

   !> Works.
   subroutine work(a)
      integer :: a
   end subroutine work

   !> By number.
   pure function text_of(n) result(t)
   end function text_of

   !> Goes.
   subroutine thing_go()
   end subroutine thing_go

   subroutine other_go()
      x = 1
   end subroutine other_go

   subroutine inner()
   end subroutine inner
end module a
"""
SHOWN = """!> A module.
module a
   public :: thing, work, &
      text
   public :: inner      ! not re-exported to users


   !> A thing.
   type, extends(base) :: thing
   contains
      !> Called as go.
      procedure :: thing_go
      !> Called as both.
      procedure :: one
      !> Called as both.
      procedure :: two
   end type thing


contains

   !> Works.
   subroutine work(a)
      integer :: a
   end subroutine work

   !> Of each text.
   !> By number.
   pure function text(n) result(t)
   end function text_of

   !> Goes.
   subroutine thing_go()
   end subroutine thing_go


end module a
"""


class ReferenceSource(unittest.TestCase):
    def test_module(self):
        self.assertEqual("\n".join(reference_source.module(MODULE)) + "\n", SHOWN)

    def test_comments_of_abstract_interfaces(self):
        lines = ["   public :: f", "   abstract interface", "      !> Calls.", "      function f(x)",
                 "      end function f", "   end interface"]
        self.assertEqual("\n".join(reference_source.module("\n".join(lines))).splitlines(),
                         [*lines[:4], lines[2], *lines[4:]])

    def test_header(self):
        text = "#include <a.h>\n/** Less: a < b, a -> b, a > b.\n *     if (a < b)\n */\nint a; /**< a << 2 **/\n"
        self.assertEqual("\n".join(reference_source.header(text)) + "\n",
                         "#include <a.h>\n/** Less: a &lt; b, a -> b, a &gt; b.\n *     if (a < b)\n */\n"
                         "int a; /**< a &lt;&lt; 2 **/\n")


if __name__ == "__main__":
    unittest.main()
