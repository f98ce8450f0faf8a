/**
 * The row of a statement that selects columns of a table: fields of its Prisma model, so that a renamed column is a
 * type error. `int8` is a number, as `Query` returns it. A `date` or `numeric` column is text in a statement, unlike in
 * Prisma: declare its field beside, as `Row<Model, …> & { day: string }`.
 *
 * @template Field the selected fields; all of the model if left out
 */
export type Row<Model, Field extends keyof Model = keyof Model> = {
  [Name in Field]: Model[Name] extends bigint | null ? Exclude<Model[Name], bigint> | number : Model[Name]
}
