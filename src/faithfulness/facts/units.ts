/** A unit: what it measures, and how many of that dimension's own unit it is. */
export interface Unit {
  readonly dimension: string;
  readonly factor: number;
  readonly offset: number;
  readonly system: 'metric' | 'imperial';
  /** True: it is what stands above the line of a rate, as the euros of `5 € per month`; absent: it stands by itself. */
  readonly ofRate?: true;
}

/** Unit, factor, and the ways to write it. */
type Row = readonly [factor: number, names: string];

const METRIC: Readonly<Record<string, readonly Row[]>> = {
  length: [
    [1000, 'km kilometre kilometres kilometer kilometers kilomètre kilomètres'],
    [1, 'm metre metres meter meters mètre mètres'],
    [0.01, 'cm centimetre centimetres centimeter centimeters zentimeter centimètre centimètres'],
    [0.001, 'mm millimetre millimetres millimeter millimeters millimètre millimètres'],
  ],
  area: [
    [1, 'm2 qm'],
    [1e6, 'km2'],
    [1e4, 'ha hectare hectares hektar'],
  ],
  mass: [
    [1e6, 't tonne tonnes tonnen'],
    [1000, 'kg kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes'],
    [1, 'g gram grams gramm gramme grammes'],
    [0.001, 'mg milligram milligrams milligramm milligramme milligrammes'],
    [1e-6, 'µg μg mcg microgram micrograms'],
  ],
  volume: [
    [1000, 'm3'],
    [1, 'l L litre litres liter liters'],
    [0.01, 'cl'],
    [0.001, 'ml mL millilitre millilitres milliliter milliliters'],
  ],
  duration: [
    [604_800, 'week weeks woche wochen semaine semaines'],
    [86_400, 'd day days tag tage tagen jour jours'],
    [3600, 'h hr hrs hour hours stunde stunden heure heures'],
    [60, 'min mins minute minutes minuten'],
    [1, 's sec secs second seconds sekunde sekunden seconde secondes'],
    [0.001, 'ms millisecond milliseconds millisekunden millisecondes'],
  ],
  months: [
    [1, 'month months monat monate monaten mois'],
    [12, 'year years yr yrs jahr jahre jahren an ans année années'],
  ],
  energy: [
    [1, 'Wh'],
    [1000, 'kWh'],
    [1e6, 'MWh'],
    [1e9, 'GWh'],
    [1e12, 'TWh'],
  ],
  power: [
    [0.001, 'mW'],
    [1, 'W watt watts'],
    [1000, 'kW kilowatt kilowatts'],
    [1e6, 'MW megawatt megawatts'],
    [1e9, 'GW gigawatt gigawatts'],
  ],
  food: [[1, 'kcal calories']],
  charge: [[1, 'mAh']],
  voltage: [
    [1, 'V volt volts'],
    [1000, 'kV'],
  ],
  frequency: [
    [1, 'Hz hertz'],
    [1000, 'kHz'],
    [1e6, 'MHz'],
    [1e9, 'GHz'],
  ],
  data: [
    [1, 'bytes byte'],
    [1e3, 'kB KB kilobytes'],
    [1e6, 'MB megabytes megabyte'],
    [1e9, 'GB gigabytes gigabyte'],
    [1e12, 'TB terabytes terabyte'],
    [1024, 'KiB'],
    [1024 ** 2, 'MiB'],
    [1024 ** 3, 'GiB'],
  ],
  bits: [
    [1e3, 'kbit'],
    [1e6, 'Mbit'],
    [1e9, 'Gbit'],
  ],
  percent: [[1, '% percent percentage prozent pourcent pp']],
  USD: [
    [1, 'USD $ dollar dollars'],
    [0.01, 'cent cents'],
  ],
  EUR: [
    [1, 'EUR € euro euros'],
    [0.01, 'cent cents'],
  ],
  GBP: [
    [1, 'GBP £ pound pounds'],
    [0.01, 'pence'],
  ],
  CHF: [[1, 'CHF franken francs']],
  JPY: [[1, 'JPY ¥ yen']],
  INR: [[1, 'INR ₹ rupees']],
};

const IMPERIAL: Readonly<Record<string, readonly Row[]>> = {
  length: [
    [1609.344, 'mi mile miles meile meilen'],
    [0.9144, 'yd yard yards'],
    [0.3048, 'ft foot feet'],
    [0.0254, 'inch inches'],
  ],
  area: [[4046.8564224, 'acre acres']],
  mass: [
    [453.59237, 'lb lbs pound pounds'],
    [28.349523125, 'oz ounce ounces'],
  ],
  volume: [[3.785411784, 'gal gallon gallons']],
};

const OTHERS: readonly (readonly [name: string, unit: Unit])[] = [
  ['°C', { dimension: 'temperature', factor: 1, offset: 0, system: 'metric' }],
  ['°F', { dimension: 'temperature', factor: 5 / 9, offset: -160 / 9, system: 'imperial' }],
  ['mph', { dimension: 'length/duration', factor: 1609.344 / 3600, offset: 0, system: 'imperial' }],
  ['kmh', { dimension: 'length/duration', factor: 1000 / 3600, offset: 0, system: 'metric' }],
  ['Mbps', { dimension: 'bits/duration', factor: 1e6, offset: 0, system: 'metric' }],
  ['Gbps', { dimension: 'bits/duration', factor: 1e9, offset: 0, system: 'metric' }],
];

let unitsByName: ReadonlyMap<string, readonly Unit[]> | undefined;

/** What one way to write a unit may mean; []: it is none. Words in capitals mean the same, symbols do not. */
export function unitsNamed(name: string): readonly Unit[] {
  unitsByName ??= allUnits();
  return unitsByName.get(name) ?? (name.length > 3 ? (unitsByName.get(name.toLowerCase()) ?? []) : []);
}

/** True for what stands before its number: `$`, `EUR`. */
export function isCurrency(name: string): boolean {
  return currenciesNamed(name).length > 0 && !/^\p{Ll}/u.test(name);
}

/** The currencies that a name may mean; []: it means none. */
export function currenciesNamed(name: string): readonly string[] {
  return unitsNamed(name).flatMap(({ dimension }) => (isMoney(dimension) ? [dimension] : []));
}

/** True: the dimension is a currency. */
export function isMoney(dimension: string): boolean {
  return /^[A-Z]{3}$/.test(dimension);
}

function allUnits(): ReadonlyMap<string, readonly Unit[]> {
  const units = new Map<string, Unit[]>();
  for (const [system, table] of [['metric', METRIC] as const, ['imperial', IMPERIAL] as const]) {
    for (const [dimension, rows] of Object.entries(table)) {
      for (const [factor, names] of rows) {
        for (const name of names.split(' ')) {
          units.set(name, [...(units.get(name) ?? []), { dimension, factor, offset: 0, system }]);
        }
      }
    }
  }
  for (const [name, unit] of OTHERS) units.set(name, [unit]);
  return units;
}
