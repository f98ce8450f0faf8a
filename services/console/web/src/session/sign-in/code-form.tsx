import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'
import { ErrorMessage } from '../../ui/message/message.tsx'
import styles from './sign-in.module.css'

const codeLength = 6

/** Takes the code of a mail. It is sent as soon as it is complete. @param onVerify rejects if the code is wrong */
export function CodeForm({
  hint,
  submitLabel,
  onVerify,
}: {
  hint: string
  submitLabel: string
  onVerify: (code: string) => Promise<unknown>
}) {
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const input = useRef<HTMLInputElement>(null)
  // Before the dialog notices that its focused button is gone: in the next frame it would take the focus itself.
  useLayoutEffect(() => input.current?.focus(), [])
  const verify = async (value: string) => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await onVerify(value)
    } catch (failure) {
      setError(failure)
      setCode('')
      input.current?.focus()
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.length === codeLength) void verify(code)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field label="Code" hint={hint}>
        <Input
          ref={input}
          className={styles.code ?? ''}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={codeLength}
          value={code}
          onChange={({ target }) => {
            const digits = target.value.replace(/\D/g, '').slice(0, codeLength)
            setCode(digits)
            if (digits.length === codeLength) void verify(digits)
          }}
        />
      </Field>
      {error !== undefined && <ErrorMessage error={error} />}
      <Button type="submit" variant="primary" isBusy={isBusy} disabled={code.length < codeLength}>
        {submitLabel}
      </Button>
    </form>
  )
}
