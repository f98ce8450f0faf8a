import { zodResolver } from '@hookform/resolvers/zod'
import { ApiError } from '@wp/client/browser'
import { describeIssue } from '@wp/contracts'
import { type FormEvent, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { assignServerErrors, toSentence } from './server-field-errors.ts'

export interface ApiFormOptions<Input extends FieldValues, Output> {
  /** The schema of the contract for the body, or one of the same fields. */
  schema: z.ZodType<Output, Input>
  /**
   * The initial value of every field that the form shows; server errors of other fields are shown above the buttons.
   */
  defaultValues: DefaultValues<Input>
  /** Calls the API. */
  onSubmit: (values: Output) => Promise<unknown>
  /** Fields of error codes without pointers: `{ name_taken: 'name' }`. */
  fieldOfCode?: Readonly<Record<string, Path<Input>>>
}

export interface ApiForm<Input extends FieldValues, Output> {
  form: UseFormReturn<Input, unknown, Output>
  /** The handler of the form's `onSubmit`. */
  submit: (event: FormEvent) => void
  isBusy: boolean
  /** True while there is something typed that is not saved. */
  isUnsaved: boolean
  /** The error of the last call as far as it belongs to no field; undefined if there is none. */
  failure: unknown
  /** Forgets values and errors, for a form that is opened again. */
  reset: (values?: DefaultValues<Input>) => void
}

/**
 * Creates a form that is validated by a schema of the contracts and sent to the API. Errors of both stand beside their
 * fields. Messages are those of the platform.
 */
export function useApiForm<Input extends FieldValues, Output>({
  schema,
  defaultValues,
  onSubmit,
  fieldOfCode,
}: ApiFormOptions<Input, Output>): ApiForm<Input, Output> {
  const [failure, setFailure] = useState<unknown>()
  const form = useForm<Input, unknown, Output>({
    defaultValues,
    resolver: zodResolver(schema, { error: (issue) => toSentence(describeIssue(issue as z.core.$ZodRawIssue)) }), // an issue of zod 4
  })
  const { isSubmitting: isBusy, isDirty, defaultValues: saved = defaultValues } = form.formState
  const report = (error: unknown) => {
    if (error instanceof FormError)
      return form.setError(error.field as Path<Input>, { message: error.message }, { shouldFocus: true }) // a field of the form
    if (!(error instanceof ApiError)) return setFailure(error)
    const { fields, isComplete } = assignServerErrors(error, (name) => hasPath(form.getValues(), name), fieldOfCode)
    for (const [index, { name, message }] of fields.entries())
      form.setError(name as Path<Input>, { type: 'server', message }, { shouldFocus: index === 0 }) // a path of the values
    if (!isComplete) setFailure(error)
  }
  const send = form.handleSubmit(async (values) => {
    setFailure(undefined)
    // What is typed from now on is compared with what is sent.
    form.resetDefaultValues(form.getValues())
    await onSubmit(values).catch((error: unknown) => {
      form.resetDefaultValues(saved as DefaultValues<Input>) // complete: it was given so
      report(error)
    })
  })
  return {
    form,
    submit: (event) => {
      // A form in a dialog must not submit the form of the page around it: React events pass through portals.
      event.stopPropagation()
      if (focusUnreadable(event)) return event.preventDefault()
      void send(event)
    },
    isBusy,
    isUnsaved: isDirty && !isBusy,
    failure,
    reset: (values) => {
      setFailure(undefined)
      form.reset(values ?? defaultValues)
    },
  }
}

/** Moves the focus to a control whose text could not be read, such as a mistyped date. @returns true if there is one */
export function focusUnreadable({ currentTarget }: FormEvent): boolean {
  const control = currentTarget.querySelector<HTMLElement>('[data-unreadable]')
  control?.focus()
  return control !== null
}

/** Returns true if an object has a member at a path such as `settings.timezone`, also if its value is undefined. */
function hasPath(value: unknown, path: string): boolean {
  let current = value
  for (const part of path.split('.')) {
    if (typeof current !== 'object' || current === null || Array.isArray(current) || !(part in current)) return false
    current = Reflect.get(current, part)
  }
  return true
}

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
