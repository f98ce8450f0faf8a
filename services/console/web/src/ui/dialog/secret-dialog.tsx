import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { downloadText } from '../../api/download-file.ts'
import { Button, CopyButton, classNames, Icon } from '../button/button.tsx'
import { Checkbox } from '../form/controls.tsx'
import { Callout } from '../message/message.tsx'
import { Cluster } from '../page/page.tsx'
import { type Snippet, Snippets } from '../values/code-block.tsx'
import { Dialog } from './dialog.tsx'
import { formatEnvFile } from './env-file.ts'
import styles from './secret-dialog.module.css'

/** A value that belongs together with a secret, or the secret itself. */
export interface SecretValue {
  label: string
  /** Name in the `.env` file. */
  variable: string
  value: string
  isSecret?: boolean
}

export interface SecretDialogProps {
  title: string
  values: readonly SecretValue[]
  /** Name of the `.env` file to download. */
  fileName: string
  /** Further information, for example until when the previous secret works. */
  children?: ReactNode
  snippets?: readonly Snippet[]
  /** The place where the secret can be seen again; without it, it is shown this once. */
  revealHint?: string
  onClose: () => void
}

/**
 * Shows a secret, once. It closes only after the person confirmed to have stored it: not by Escape, nor by a click
 * outside; leaving the page asks first. Render it while there is a secret, which only the component's parent holds.
 */
export function SecretDialog({ title, values, fileName, children, snippets, revealHint, onClose }: SecretDialogProps) {
  const [isStored, setStored] = useState(revealHint !== undefined)
  const blocker = useBlocker({
    shouldBlockFn: () => true,
    enableBeforeUnload: true,
    disabled: isStored,
    withResolver: true,
  })
  const envFile = formatEnvFile(values.map(({ variable, value }) => [variable, value]))
  return (
    <Dialog
      isOpen
      isPersistent={revealHint === undefined}
      size="wide"
      onClose={onClose}
      title={title}
      footer={
        <div className={styles.foot}>
          {revealHint === undefined ? (
            <Checkbox
              label={secretCount(values) === 1 ? 'I have stored the secret' : 'I have stored the secrets'}
              checked={isStored}
              onChange={(event) => setStored(event.target.checked)}
            />
          ) : (
            <span />
          )}
          <Button variant="primary" disabled={!isStored} onClick={onClose}>
            Close
          </Button>
        </div>
      }
    >
      <div className={styles.content}>
        {blocker.status === 'blocked' ? (
          <LeaveQuestion onStay={blocker.reset} onLeave={blocker.proceed} />
        ) : revealHint !== undefined ? (
          <Callout>{revealHint}</Callout>
        ) : (
          <Callout tone="warning" title="Store the secret now">
            It is not shown again. If it is lost, rotate it to get a new one.
          </Callout>
        )}
        {children}
        <dl className="stack-3">
          {values.map((value) => (
            <ValueBox key={value.variable} {...value} />
          ))}
        </dl>
        <Cluster>
          <Button size="small" onClick={() => downloadText(envFile, fileName)}>
            <Icon name="download" size={16} />
            Download {fileName}
          </Button>
          <CopyButton value={envFile} label="Copy all as .env" withText />
        </Cluster>
        {snippets && <Snippets snippets={snippets} label="How to use it" />}
      </div>
    </Dialog>
  )
}

const secretCount = (values: readonly SecretValue[]) => values.filter(({ isSecret }) => isSecret).length

const ValueBox = ({ label, value, isSecret = false }: SecretValue) => (
  <div className="stack-1">
    <dt className="medium">{label}</dt>
    <dd className={classNames(styles.box, isSecret && styles.secret)}>
      <code>{value}</code>
      <CopyButton value={value} label={`Copy ${label.toLowerCase()}`} />
    </dd>
  </div>
)

/** Shown when the person tries to leave the page before the secret is stored. */
const LeaveQuestion = ({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) => (
  <div role="alert">
    <Callout tone="danger" title="Leave without storing the secret?">
      <p className={styles.question}>You cannot see it again. You would have to rotate it.</p>
      <Cluster>
        <Button size="small" onClick={onStay}>
          Stay
        </Button>
        <Button size="small" variant="danger" onClick={onLeave}>
          Leave
        </Button>
      </Cluster>
    </Callout>
  </div>
)
