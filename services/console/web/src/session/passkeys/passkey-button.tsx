import { useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { Callout, ErrorMessage } from '../../ui/message/message.tsx'
import { describePasskeyError } from './describe-passkey-error.ts'
import { canUsePasskeys } from './use-passkey.ts'

/** A button that goes on with a passkey, where the browser has them. @param onUse asks for the passkey and sends it */
export function PasskeyButton({ label, onUse }: { label: string; onUse: () => Promise<unknown> }) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  if (!canUsePasskeys()) return null
  const run = async () => {
    setBusy(true)
    setError(undefined)
    await onUse().catch(setError)
    setBusy(false)
  }
  return (
    <>
      <Button isBusy={isBusy} onClick={run}>
        {label}
      </Button>
      {error !== undefined && <PasskeyError error={error} />}
    </>
  )
}

/** An error of a passkey, or of anything else, in words. */
export function PasskeyError({ error }: { error: unknown }) {
  const text = describePasskeyError(error)
  return text === undefined ? <ErrorMessage error={error} /> : <Callout tone="warning">{text}</Callout>
}
