import { Toast } from '@base-ui/react/toast'
import { useEffect } from 'react'
import { Button, IconButton } from '../button/button.tsx'
import styles from './toast.module.css'
import { provideToastManager } from './toast.ts'

const manager = Toast.createToastManager()

/** The place where toasts appear. */
export function ToastViewport() {
  // The provider below listens to the manager by now: its effects run first.
  useEffect(() => provideToastManager(manager), [])
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <div className={styles.text}>
        <Toast.Title className="strong" render={<div />} />
        <Toast.Description className="secondary" render={<div />} />
        <Toast.Action render={<Button size="small" />} />
      </div>
      <Toast.Close render={<IconButton icon="close" label="Dismiss" variant="quiet" size="small" />} />
    </Toast.Root>
  ))
}
