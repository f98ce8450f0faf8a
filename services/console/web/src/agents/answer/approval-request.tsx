import { useId, useRef, useState } from 'react'
import { useCan } from '../../session/workspace-context.tsx'
import { Button, Icon } from '../../ui/button/button.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { Cluster } from '../../ui/page/page.tsx'
import { JsonView } from '../../ui/values/code-block.tsx'
import type { ToolCall } from './message-stream.ts'
import styles from './tool-call.module.css'
import { useInputSummary } from './tool-call.tsx'
import { describeTool } from './tool-words.ts'

/** Asks a person to decide on a call. @param onDecide rejects if the decision is not accepted */
export function ApprovalRequest({
  call: { tool, title, input },
  onDecide,
}: {
  call: Pick<ToolCall, 'tool' | 'title' | 'input'>
  onDecide: (isApproved: boolean, reason: string) => Promise<unknown>
}) {
  const id = useId()
  const section = useRef<HTMLElement>(null)
  const can = useCan()
  const [busy, setBusy] = useState<'approve' | 'deny'>()
  const [isDenying, setDenying] = useState(false)
  const [reason, setReason] = useState('')
  const [error, setError] = useState<unknown>()
  const decide = async (isApproved: boolean) => {
    setBusy(isApproved ? 'approve' : 'deny')
    setError(undefined)
    // The focus would be lost with this part, which goes when the decision is known.
    const focusable = section.current?.closest<HTMLElement>('[tabindex="-1"]')
    await onDecide(isApproved, reason.trim()).then(() => focusable?.focus(), setError)
    setBusy(undefined)
  }
  const summary = useInputSummary(input)
  const mayDecide = can('agents:run')
  return (
    <section ref={section} className={styles.approval} aria-labelledby={id}>
      <div className={styles.approvalTitle} id={id}>
        <Icon name="lock" />
        <span>
          {describeTool({ tool, title })}
          {summary !== '' && `: ${isolate(summary)}`}?
        </span>
      </div>
      <p>
        This can change something outside the platform. If you approve, it is done once, with exactly this input. If you
        deny, the assistant is told and goes on without it. Your decision is recorded in the audit log.
      </p>
      <JsonView value={input ?? {}} label={`Input of ${tool}`} />
      {isDenying && (
        <Field label="Reason" hint="Told to the assistant." isOptional>
          <Input value={reason} maxLength={1000} autoFocus onChange={(event) => setReason(event.target.value)} />
        </Field>
      )}
      {error !== undefined && <ErrorMessage error={error} />}
      {!mayDecide && <p>Deciding needs the scope agents:run, which you do not have.</p>}
      <Cluster>
        {!isDenying && (
          <Button variant="primary" isBusy={busy === 'approve'} disabled={!mayDecide} onClick={() => decide(true)}>
            Approve
          </Button>
        )}
        <Button
          isBusy={busy === 'deny'}
          disabled={!mayDecide}
          onClick={() => (isDenying ? decide(false) : setDenying(true))}
        >
          {isDenying ? 'Deny the call' : 'Deny'}
        </Button>
        {isDenying && (
          <Button variant="quiet" onClick={() => setDenying(false)}>
            Back
          </Button>
        )}
      </Cluster>
    </section>
  )
}
