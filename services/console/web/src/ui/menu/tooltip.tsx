import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'
import styles from './menu.module.css'

const delayMs = 400

/** Explains a control while it is hovered or focused. Never the only place of an information. */
export const Tooltip = ({ text, children }: { text: string; children: ReactElement<Record<string, unknown>> }) => (
  <BaseTooltip.Root>
    <BaseTooltip.Trigger delay={delayMs} render={children} />
    <BaseTooltip.Portal>
      <BaseTooltip.Positioner className={styles.positioner} sideOffset={6}>
        <BaseTooltip.Popup className={styles.tooltip}>{text}</BaseTooltip.Popup>
      </BaseTooltip.Positioner>
    </BaseTooltip.Portal>
  </BaseTooltip.Root>
)
