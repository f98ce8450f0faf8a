import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../button/button.tsx'
import { FormActions } from '../form/field.tsx'
import { focusUnreadable } from '../form/use-api-form.ts'
import { ErrorMessage } from '../message/message.tsx'
import { serverFieldErrors } from './body-errors.ts'
import type { FieldErrors } from './json-schema.ts'
import styles from './schema-form.module.css'

/**
 * A form of a draft whose fields come from a schema. It validates the draft, sends the body, and shows the errors of
 * both beside the fields, with the focus on the first.
 */
export function DraftForm<Body>({
  validate,
  send,
  submitLabel,
  disabled = false,
  actions,
  children,
}: {
  validate: () => { body: Body | undefined; errors: FieldErrors }
  send: (body: Body) => Promise<unknown>
  submitLabel: string
  disabled?: boolean
  /** Further buttons. */
  actions?: ReactNode
  /** Renders the fields. */
  children: (errors: FieldErrors) => ReactNode
}) {
  const [errors, setErrors] = useState<FieldErrors>(new Map())
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (errors.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const { body, errors: found } = validate()
      setErrors(found)
      if (body !== undefined && found.size === 0) await send(body)
    },
    onError: (failure) => setErrors(serverFieldErrors(failure)),
  })
  return (
    <form
      ref={form}
      noValidate
      className={styles.fields}
      onSubmit={(event) => {
        event.preventDefault()
        if (!focusUnreadable(event)) mutate()
      }}
    >
      {children(errors)}
      {error && <ErrorMessage error={error} />}
      <FormActions>
        {actions}
        <Button type="submit" variant="primary" isBusy={isPending} disabled={disabled}>
          {submitLabel}
        </Button>
      </FormActions>
    </form>
  )
}
