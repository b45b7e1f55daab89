# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx's configuration; "make html" builds into build/html."""

import os

HERE = os.path.dirname(os.path.abspath(__file__))

with open(os.path.join(HERE, "..", "VERSION"), encoding="utf-8") as file:
    release = version = file.read().strip()

project = "montecito"
author = "the montecito developers"
copyright = f"{author}; GPL-2.0-only"  # pylint: disable=redefined-builtin
root_doc = "index"
# Pages that others take in, and those that are built for man(1) alone
exclude_patterns = ["man"]
# Quotation marks and hyphens are those of the source: options can be copied from a page.
smartquotes = False
highlight_language = "none"
html_theme = "alabaster"
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {"description": "A virtual Intel Itanium 2", "page_width": "64em",
                      "fixed_sidebar": True}
man_pages = []
