import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../button/button.tsx'
import { Input } from '../form/controls.tsx'
import { Field } from '../form/field.tsx'
import { isolate, visibleText } from '../format/untrusted-text.ts'
import { ErrorMessage } from '../message/message.tsx'
import { Stack } from '../page/page.tsx'
import { Dialog } from './dialog.tsx'

export interface ConfirmDialogProps {
  isOpen: boolean
  onClose: () => void
  title: string
  description?: string
  /** The effect of the action, and if it can be undone. */
  children: ReactNode
  /** The verb and its object: `Delete 3 keys`. */
  confirmLabel: string
  /** Text to type before the button works, for what cannot be undone and affects much. */
  typedConfirmation?: string
  /** The action is not possible yet. */
  isDisabled?: boolean
  size?: 'normal' | 'wide'
  /** False for what can be reversed. */
  isDangerous?: boolean
  /** Rejects with the error to show. Resolves with false to keep the dialog open, for a further question. */
  onConfirm: () => Promise<unknown>
}

/** A control that asks before it acts. @param props.control shows the control, which calls `ask` */
export function ConfirmedAction({
  control,
  ...dialog
}: Omit<ConfirmDialogProps, 'isOpen' | 'onClose'> & { control: (ask: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {control(() => setOpen(true))}
      <ConfirmDialog {...dialog} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

/** Asks before an action, or how to do it. It stays open, with the error, if the action fails. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, typedConfirmation, isDangerous = true, isDisabled = false, onConfirm } = props
  // While it closes it says what it said, though nothing is selected any more.
  const lastOpen = useRef(props)
  if (isOpen) lastOpen.current = props
  const { title, description, children, confirmLabel, size = 'normal' } = lastOpen.current
  const [typed, setTyped] = useState('')
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: onConfirm,
    onSuccess: (answer) => answer !== false && close(),
  })
  const close = () => {
    reset()
    setTyped('')
    onClose()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={title}
      size={size}
      {...(description && { description })}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            variant={isDangerous ? 'danger' : 'primary'}
            isBusy={isPending}
            disabled={
              isDisabled || (typedConfirmation !== undefined && visibleText(typed) !== visibleText(typedConfirmation))
            }
            onClick={() => mutate()}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <Stack>
        <div>{children}</div>
        {typedConfirmation !== undefined && (
          <Field label={`Type ${isolate(typedConfirmation)} to confirm`}>
            <Input value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" />
          </Field>
        )}
        {error && <ErrorMessage error={error} />}
      </Stack>
    </Dialog>
  )
}
