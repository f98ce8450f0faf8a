import { ApiError } from '@wp/client/browser'
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { ErrorMessage } from '../../ui/message/message.tsx'
import styles from './sign-in.module.css'

const codeLength = 6

/** The wrong codes after which the API accepts no code of a mail any more. */
const maxWrongCodes = 5

/** Seconds after a mail in which no other is sent. */
const resendPauseSeconds = 30

/**
 * Takes the code of a mail. It is sent as soon as it is complete.
 *
 * @param props.onVerify rejects if the code is wrong
 * @param props.onResend mails another code; the earlier one no longer works
 */
export function CodeForm({
  hint,
  submitLabel,
  onVerify,
  onResend,
}: {
  hint: string
  submitLabel: string
  onVerify: (code: string) => Promise<unknown>
  onResend: () => Promise<unknown>
}) {
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [wrongCodes, setWrongCodes] = useState(0)
  const [isResent, setResent] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  // Before the dialog notices that its focused button is gone: in the next frame it would take the focus itself.
  useLayoutEffect(() => input.current?.focus(), [])
  const isUsedUp = wrongCodes >= maxWrongCodes
  const verify = async (value: string) => {
    if (isBusy || isUsedUp) return
    setBusy(true)
    setError(undefined)
    setResent(false)
    try {
      await onVerify(value)
    } catch (failure) {
      if (isWrongCode(failure)) setWrongCodes((count) => count + 1)
      else setError(failure)
      setCode('')
      input.current?.focus()
    } finally {
      setBusy(false)
    }
  }
  const resend = async () => {
    await onResend()
    setWrongCodes(0)
    setError(undefined)
    setCode('')
    setResent(true)
    input.current?.focus()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.length === codeLength) void verify(code)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field label="Code" hint={hint} error={wrongCodes === 0 || isBusy ? undefined : wrongCodeText(wrongCodes)}>
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
      <Button type="submit" variant="primary" isBusy={isBusy} disabled={code.length < codeLength || isUsedUp}>
        {submitLabel}
      </Button>
      <ResendButton onResend={resend} onError={setError} />
      <span className={styles.quiet} role="status">
        {isResent ? 'We sent a new code. The earlier one no longer works.' : ''}
      </span>
    </form>
  )
}

/** The API does not tell a wrong code from one that was used or has expired. */
const isWrongCode = (error: unknown): boolean => error instanceof ApiError && error.code === 'invalid_login'

function wrongCodeText(wrongCodes: number): string {
  const left = maxWrongCodes - wrongCodes
  return left > 0
    ? `This code is wrong or has expired. ${formatCount(left, 'try', 'tries')} left.`
    : 'This code no longer works after 5 wrong tries. Send a new one.'
}

/** Mails another code, at most every half a minute. */
function ResendButton({ onResend, onError }: { onResend: () => Promise<void>; onError: (error: unknown) => void }) {
  const [seconds, setSeconds] = useState(resendPauseSeconds)
  const [isBusy, setBusy] = useState(false)
  const isCounting = seconds > 0
  useEffect(() => {
    if (!isCounting) return
    const timer = setInterval(() => setSeconds((left) => left - 1), 1_000)
    return () => clearInterval(timer)
  }, [isCounting])
  const resend = async () => {
    setBusy(true)
    await onResend().then(() => setSeconds(resendPauseSeconds), onError)
    setBusy(false)
  }
  return (
    <Button variant="quiet" isBusy={isBusy} disabled={isCounting} onClick={resend}>
      {isCounting ? `Send a new code in ${seconds} s` : 'Send a new code'}
    </Button>
  )
}
