/** An error that a form found by itself before it called the API. `useApiForm` shows it at the field. */
export class FormError extends Error {
  override readonly name = 'FormError'
  /** Name of the field. */
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}
