import { type MemorySource, rowsOf } from './memory-tools.ts'

const invoices = `
  invoice_no,supplier,cost_center,issued_on,due_date,paid_on,net_amount_eur,vat_percent,approved
  R-1,Nordwerk,IT,2026-08-03,2026-09-02,2026-08-30,1000,19,true
  R-2,Nordwerk,Facilities,2026-08-20,2026-09-19,,250.5,19,false
  R-3,Papier Lang,Facilities,2026-09-01,2026-10-01,2026-10-05,80,7,true
  R-4,Kabel & Co,IT,2026-09-15,2026-10-15,,4000,19,true
  R-5,Papier Lang,HR,2026-10-01,2026-10-31,,120,7,false
  R-6,Open Systems,IT,2026-10-09,2026-11-08,,999,19,false`
const stock = `
  sku,article,warehouse,category,quantity,reorder_level,unit_price,last_counted
  100,Hammer,Lyon,Tools,12,10,15,2026-09-30
  101,Drill,Lyon,Tools,3,5,89,2026-09-30
  102,Gloves,Ghent,Safety,200,50,2.5,2026-10-01
  103,Helmet,Ghent,Safety,0,20,30,2026-10-01
  104,Saw,Porto,Tools,7,7,25,2026-08-15`
const projects = `
  project,client,phase,lead,started,deadline,budget,spent,progress_percent
  Atlas,Meyer AG,build,Ines,2026-01-10,2026-12-01,50000,20000,40
  Borealis,Stadt Ulm,design,Jürgen,2026-05-02,2026-10-01,12000,13000,80
  Cygnus,Meyer AG,done,Ines,2025-03-01,2026-02-01,30000,29000,100
  Draco,Klinik Süd,build,Oskar,2026-07-20,2027-03-01,80000,5000,10`
const meters = `
  meter,site,reading_at,kwh,peak_kw
  M1,Plant A,2026-10-10T00:00:00Z,120,30
  M1,Plant A,2026-10-11T00:00:00Z,100,25
  M2,Plant B,2026-10-10T00:00:00Z,80,50
  M2,Plant B,2026-10-11T00:00:00Z,90,45`
const patients = `
  case_id,ward,diagnosis,severity,admitted_on,discharged_on,age,beds
  1,Cardio,Infarct,severe,2026-09-28,2026-10-06,71,1
  2,Cardio,Arrhythmia,mild,2026-10-01,,55,1
  3,Ortho,Fracture,mild,2026-10-03,2026-10-09,33,1
  4,Ortho,Fracture,severe,2026-10-11,,80,2`
const lease = `# Lease of the office

## Term
The lease begins on 1 January 2025 and runs for five years. It is extended by one year unless it is terminated six months before its end.

## Rent
The rent is EUR 12,400 per month plus service charges. It is due on the third working day of each month.

## Repairs
Small repairs up to EUR 150 are paid by the tenant. Larger repairs are paid by the landlord.

## Pets
Pets need the consent of the landlord.`
const school = `Schulordnung

Handys
Handys bleiben während des Unterrichts ausgeschaltet. In den Pausen dürfen Schüler ab Klasse 9 ihr Handy benutzen.

Krankmeldung
Eltern melden ihr Kind bis 7:45 Uhr telefonisch krank. Ab dem dritten Tag ist ein Attest nötig.`

/** Five tables and two texts that the rules were not made for. */
export const otherSources: MemorySource[] = [
  { name: 'Invoices 2026', rows: rowsOf(invoices) },
  { name: 'stock_levels.csv', rows: rowsOf(stock) },
  { name: 'Projects', titleField: 'project', rows: rowsOf(projects) },
  { name: 'Energy meters', rows: rowsOf(meters) },
  { name: 'Hospital cases', rows: rowsOf(patients) },
  { name: 'Lease', titleField: 'title', rows: [{ title: 'Lease', text: lease }] },
  { name: 'Schulordnung', titleField: 'title', rows: [{ title: 'Schulordnung', text: school }] },
]
