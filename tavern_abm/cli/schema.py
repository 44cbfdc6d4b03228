"""`tavern schema`: the reference of scenario files and of designs."""

import click


@click.command()
@click.option("--markdown", is_flag=True, help="A page with a table of all parameters instead.")
@click.option("--sweep", "of_designs", is_flag=True, help="Of designs, for tavern sweep.")
@click.option("--outputs", is_flag=True, help="What a sweep can be asked for, as a list.")
def schema(markdown: bool, of_designs: bool, outputs: bool) -> None:
    """Print the JSON Schema of scenario files, or of designs.

    Editors that know TOML complete and check a scenario by it. Put the schema
    beside the file, and name it in the first line:

    \b
      tavern schema > scenario.schema.json
      #:schema ./scenario.schema.json
      tavern schema --sweep > design.schema.json
      tavern schema --outputs

    With --markdown it prints the reference page: every parameter with its
    path, type, default, range and meaning.
    """  # noqa: D301
    if outputs:
        from ..sweeps.measuring import outputs_reference

        text = outputs_reference.markdown() if markdown else outputs_reference.plain()
        click.echo(text, nl=False)
        return
    if of_designs:
        from ..sweeps.designs import design_reference

        text = design_reference.markdown() if markdown else design_reference.json_text()
        click.echo(text, nl=False)
        return
    from ..scenario import reference

    click.echo(reference.markdown() if markdown else reference.json_text(), nl=False)
