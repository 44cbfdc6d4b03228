"""`tavern schema`: the reference of scenario files."""

import click


@click.command()
@click.option("--markdown", is_flag=True, help="A page with a table of all parameters instead.")
def schema(markdown: bool) -> None:
    """Print the JSON Schema of scenario files.

    Editors that know TOML complete and check a scenario by it. Put the schema
    beside the file, and name it in the first line:

    \b
      tavern schema > scenario.schema.json
      #:schema ./scenario.schema.json

    With --markdown it prints the reference page: every parameter with its
    path, type, default, range and meaning.
    """  # noqa: D301
    from ..scenario import reference

    click.echo(reference.markdown() if markdown else reference.json_text(), nl=False)
