import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { type ReactNode, type RefObject, useRef } from 'react'
import { classNames, Icon, IconButton } from '../button/button.tsx'
import styles from './dialog.module.css'

export interface DialogProps {
  isOpen: boolean
  /** Called when the dialog asks to be closed: by Escape, its close button, or a click outside. */
  onClose: () => void
  title: string
  description?: ReactNode
  children?: ReactNode
  /** Buttons, the confirming one last. */
  footer?: ReactNode
  size?: 'normal' | 'wide' | 'drawer'
  /**
   * The dialog closes by its own buttons only: not by Escape, nor by a click outside. For content that cannot be shown
   * again.
   */
  isPersistent?: boolean
  initialFocus?: RefObject<HTMLElement | null>
}

/** A modal dialog, or a drawer at the right side. Focus returns to what opened it. */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  children,
  footer,
  size = 'normal',
  isPersistent = false,
  initialFocus,
}: DialogProps) {
  const body = useRef<HTMLDivElement>(null)
  return (
    <BaseDialog.Root
      open={isOpen}
      disablePointerDismissal={isPersistent}
      onOpenChange={(open, { reason }) => {
        if (open || (isPersistent && reason !== 'close-press')) return
        onClose()
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Popup
          className={classNames(styles.popup, size === 'wide' && styles.wide, size === 'drawer' && styles.drawer)}
          initialFocus={initialFocus ?? ((openedBy) => openedBy === 'touch' || findFirst(body.current))}
        >
          <div className={styles.head}>
            <div>
              <BaseDialog.Title>{title}</BaseDialog.Title>
              {description && (
                <BaseDialog.Description render={<div />} className="secondary above-1">
                  {description}
                </BaseDialog.Description>
              )}
            </div>
            {!isPersistent && (
              <BaseDialog.Close
                render={
                  <IconButton label="Close" variant="quiet" size="small">
                    <Icon name="close" />
                  </IconButton>
                }
              />
            )}
          </div>
          <div ref={body} className={styles.body}>
            {children}
          </div>
          {footer && <footer className={styles.foot}>{footer}</footer>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

const fields = ':is(input:is([type="text"], [type="email"], :not([type])), textarea):not([readonly])'

/**
 * Returns the field to type into, or else the first thing to do, which is below the close button; false if one has the
 * focus, true for the default of the library.
 */
function findFirst(body: HTMLElement | null): HTMLElement | boolean {
  if (body?.contains(document.activeElement)) return false
  const find = (selector: string, under = body) => under?.querySelector<HTMLElement>(selector)
  const actions = ':is(button, input, select):not(:disabled)'
  return find(fields) ?? find(actions) ?? find(actions, body?.parentElement?.querySelector('footer')) ?? true
}
