import { Icon, iconNames } from '../ui/button/icon.tsx'
import { Card } from '../ui/page/page.tsx'
import styles from './design.module.css'

const colours = [
  'canvas',
  'surface',
  'surface-muted',
  'line',
  'line-strong',
  'text',
  'text-secondary',
  'text-muted',
  'accent',
  'accent-soft',
  'success',
  'success-soft',
  'warning',
  'warning-soft',
  'danger',
  'danger-soft',
  'chart-1',
  'chart-2',
  'chart-3',
  'chart-4',
  'chart-5',
  'chart-6',
]

/** Colour, type, space and icons. */
export const FoundationSections = () => (
  <>
    <Card title="Colour" description="Names say the role; the theme chooses the value.">
      <div className={styles.swatches}>
        {colours.map((name) => (
          <div key={name} className={styles.swatch}>
            <div className={styles.colour} style={{ background: `var(--${name})` }} />
            <code>--{name}</code>
          </div>
        ))}
      </div>
    </Card>
    <Card title="Type">
      <div style={{ display: 'grid', gap: 'var(--space-2)' }}>
        <div style={{ fontSize: 'var(--size-figure)', fontWeight: 620 }}>Figure 12,345</div>
        <div style={{ fontSize: 'var(--size-title)', fontWeight: 650 }}>Title of a page</div>
        <div style={{ fontSize: 'var(--size-large)', fontWeight: 620 }}>Heading of a card</div>
        <div>Text of the body, in the zone of the reader</div>
        <div style={{ fontSize: 'var(--size-small)', color: 'var(--text-muted)' }}>Small text beside it</div>
        <code>Code and ids</code>
      </div>
    </Card>
    <Card title="Space">
      <div className={styles.spaces}>
        {[1, 2, 3, 4, 5, 6, 7].map((step) => (
          <div key={step} className={styles.space}>
            <span style={{ width: `var(--space-${step})`, height: `var(--space-${step})` }} />
            <code>{step}</code>
          </div>
        ))}
      </div>
    </Card>
    <Card title="Icons">
      <div className={styles.icons}>
        {iconNames.map((name) => (
          <div key={name} className={styles.icon}>
            <Icon name={name} /> {name}
          </div>
        ))}
      </div>
    </Card>
  </>
)
