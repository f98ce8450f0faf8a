import { type RefObject, useEffect, useRef } from 'react'
import type { FieldErrors } from './json-schema.ts'

/** Moves the focus to the first invalid field of a form when its errors change. @returns the ref of the form */
export function useFocusFirstError(errors: FieldErrors): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (errors.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  return form
}
