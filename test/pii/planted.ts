import type { ScrubKind } from '../../src/pii/scrubber.ts';

/** Something that must not stay where it stands. */
export interface Planted {
  readonly language: string;
  readonly kind: ScrubKind;
  /** The value, which stands once in the text. */
  readonly value: string;
  readonly text: string;
}

/** What a language writes: what a sentence says of a value, and values of each kind. Ids and IBANs are published examples. */
interface Language {
  readonly says: readonly [string, string];
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  readonly ibans: readonly string[];
  readonly cards: readonly string[];
  readonly ips: readonly string[];
  readonly urls: readonly string[];
  readonly secrets: readonly string[];
  readonly ids: readonly string[];
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  en: {
    says: ['The customer wrote: ', ' — please answer today.'],
    emails: [
      'jane.doe@example.com',
      "o'brien+news@mail.example.co.uk",
      'J_Smith99@sub.example.org',
      'info@xn--bcher-kva.example',
    ],
    phones: ['(415) 555-2671', '415.555.2671', '+44 20 7946 0958', '020 7946 0958', '4155552671', '07700 900123'],
    ibans: ['GB29NWBK60161331926819', 'GB29 NWBK 6016 1331 9268 19'],
    cards: ['4111 1111 1111 1111', '5555555555554444', '3782-822463-10005'],
    ips: ['203.0.113.7', '2001:db8::8a2e:370:7334'],
    urls: ['jane:hunter22', 'svc:p%40ss'],
    secrets: ['ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'AKIAIOSFODNN7EXAMPLE', 'sk-proj-abcdefghijklmnopqrst1234'],
    ids: ['078-05-1120', 'AB 12 34 56 C', '219 09 9998'],
  },
  de: {
    says: ['Der Kunde schrieb: ', ' — bitte heute antworten.'],
    emails: ['jürgen.müller@beispiel.example', 'post@example.de', 'a.b-c@mail.example.at', 'Heike_Groß@example.ch'],
    phones: ['030 901820', '0171 2345678', '+49 30 901820', '(0221) 2211234', '0049 30 901820', '089/2180-1234'],
    ibans: ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'],
    cards: ['4012 8888 8888 1881', '5105105105105100', '6011-1111-1111-1117'],
    ips: ['198.51.100.23', 'fd12:3456:789a:1::1'],
    urls: ['nutzer:geheim123', 'admin:Passw0rt'],
    secrets: ['glpat-abcdefghij1234567890', 'xoxb-123456789012-abcdefABCDEF', 'hf_abcdefghijklmnopqrstuvwxyzABCDEF'],
    ids: ['86095742719', '86 095 742 719', '57549285017'],
  },
  fr: {
    says: ['Le client a écrit : ', ' — merci de répondre.'],
    emails: ['zoé.lefèvre@exemple.example', 'contact[at]example.fr', 'j-p.dupont@mairie.example', 'x.y+z@example.be'],
    phones: [
      '01 42 68 53 00',
      '06 12 34 56 78',
      '+33 1 42 68 53 00',
      '0612345678',
      '+33 6 12 34 56 78',
      '04.91.13.90.00',
    ],
    ibans: ['FR1420041010050500013M02606', 'FR14 2004 1010 0505 0001 3M02 606'],
    cards: ['4970 1012 3456 7893', '4000056655665556', '5200-8282-8282-8210'],
    ips: ['192.0.2.146', '2a01:e0a:1:2::3'],
    urls: ['client:motdepasse', 'lea:tr0ubador'],
    secrets: [
      'npm_abcdefghijklmnopqrstuvwxyz0123456789',
      'rk_live_abcdefghijklmnop1234',
      'AIzaSyA1234567890abcdefghijklmnopqrstuv',
    ],
    ids: ['255081416802538', '2 55 08 14 168 025 38', '1 85 05 78 006 084 91'],
  },
  es: {
    says: ['La clienta escribió: ', ' — hay que contestar hoy.'],
    emails: ['maría.lópez@ejemplo.example', 'hola@example.es', 'nuñez.p@correo.example', 'a1@example.mx'],
    phones: ['912 345 678', '612 34 56 78', '+34 912 345 678', '+34612345678', 'móvil: 612345678', '0034 912 345 678'],
    ibans: ['ES9121000418450200051332', 'ES91 2100 0418 4502 0005 1332'],
    cards: ['4242 4242 4242 4242', '5454545454545454', '3714-496353-98431'],
    ips: ['203.0.113.99', '2001:db8:85a3::8a2e:370:7334'],
    urls: ['usuario:clave2024', 'root:toor1234'],
    secrets: [
      'github_pat_11ABCDEFG0abcdefghij_kl',
      'sk_live_abcdefghijklmnop9876',
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    ],
    ids: ['12345678Z', 'X1234567L', '12345678-Z'],
  },
  it: {
    says: ['Il cliente ha scritto: ', ' — rispondere oggi.'],
    emails: ['niccolò.verdi@esempio.example', 'info@example.it', 'l.d-amico@posta.example', 'prova+1@example.sm'],
    phones: [
      '06 6982 1234',
      '347 123 4567',
      '+39 06 69821234',
      '+39 347 1234567',
      'cellulare 3471234567',
      '02 1234 5678',
    ],
    ibans: ['IT60X0542811101000000123456', 'IT60 X054 2811 1010 0000 0123 456'],
    cards: ['4716 1089 9971 6531', '5425233430109903', '3530-1113-3330-0000'],
    ips: ['198.51.100.77', 'fe80::1ff:fe23:4567:890a'],
    urls: ['utente:segreto99', 'carla:p4ssw0rd'],
    secrets: [
      'ya29.a0AfH6SMBabcdefghijklmnop',
      'sk-ant-api03-abcdefghijklmnopqrstuvwx',
      'xoxp-1234567890-0987654321-abcdef',
    ],
    ids: ['RSSMRA85T10A562S', 'MRTMTT91D08F205J', 'VRDGPP13R10B293P'],
  },
  pt: {
    says: ['O cliente escreveu: ', ' — responder hoje.'],
    emails: ['joão.conceição@exemplo.example', 'ola@example.com.br', 'ana_maria@correio.example', 'z.9@example.pt'],
    phones: [
      '(11) 91234-5678',
      '11 3123-4567',
      '+55 11 91234-5678',
      '+5511912345678',
      '(21) 3123-4567',
      'celular 11 91234 5678',
    ],
    ibans: ['PT50000201231234567890154', 'PT50 0002 0123 1234 5678 9015 4'],
    cards: ['4539 1488 0343 6467', '2223003122003222', '6011-0009-9013-9424'],
    ips: ['192.0.2.200', '2804:14c:1::5'],
    urls: ['usuario:senha123', 'bia:xyz98765'],
    secrets: [
      'AKIAI44QH8DHBEXAMPLE',
      'gho_16C7e42F292c6912E7710c838347Ae178B4b',
      'sk-abcdefghijklmnopqrstuvwxyz123456',
    ],
    ids: ['529.982.247-25', '52998224725', '111.444.777-35'],
  },
  pl: {
    says: ['Klientka napisała: ', ' — proszę odpisać dziś.'],
    emails: ['żaneta.łoś@przyklad.example', 'biuro@example.pl', 'm.k-nowak@poczta.example', 'ćma@example.com.pl'],
    phones: ['22 345 67 89', '512 345 678', '+48 22 345 67 89', '+48512345678', 'tel. 512345678', '(22) 345-67-89'],
    ibans: ['PL61109010140000071219812874', 'PL61 1090 1014 0000 0712 1981 2874'],
    cards: ['4222 2222 2222 2220', '5105-1051-0510-5100', '4917610000000000'],
    ips: ['203.0.113.250', '2a02:a310:1::9'],
    urls: ['ania:haslo1234', 'jan:kowalski7'],
    secrets: ['glpat-zyxwvutsrq0987654321', 'ghs_16C7e42F292c6912E7710c838347Ae178B4c', 'sk_test_abcdefghijklmnop4321'],
    ids: ['44051401359', '02070803628', '92071314764'],
  },
  zh: {
    says: ['客户留言：', '，请今天回复。'],
    emails: ['wang.wei@example.cn', '张伟@例子.example', 'li_na88@mail.example.com.cn', 'x@example.中国'],
    phones: [
      '010-6552 9988',
      '138 0013 8000',
      '+86 10 6552 9988',
      '+8613800138000',
      '手机 13800138000',
      '021-2345 6789',
    ],
    ibans: ['NL91ABNA0417164300', 'CH93 0076 2011 6238 5295 7'],
    cards: ['6250 9410 0652 8599', '4026000000000002', '6212-3456-7890-1232'],
    ips: ['198.51.100.9', '240e:1:2::3'],
    urls: ['wangwei:mima1234', 'root:abc12345'],
    secrets: ['AKIAJ7EXAMPLE7EXAMPL', 'hf_ZYXWVUTSRQPONMLKJIHGFEDCBAzyxwvu', 'xoxa-2-1234567890-abcdefgh'],
    ids: ['11010519491231002X', '440524198001010013', '111222333'],
  },
};

/** Where a sentence may stand, so that only who reads such texts finds the value. */
const BOXES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify({ args: { note: text } }),
  (text) => JSON.stringify({ body: JSON.stringify({ messages: [{ content: text }] }) }),
  (text) => JSON.stringify({ seen: { [text]: true } }),
  (text) => JSON.stringify({ text }).replaceAll('@', '\\u0040'),
  (text) => JSON.stringify({ blob: Buffer.from(text).toString('base64') }),
  (text) =>
    JSON.stringify({
      deep: [[[{ parts: [{ text: JSON.stringify({ a: Buffer.from(text).toString('base64url') }) }] }]]],
    }),
];

/** 200 items in eight languages, some of them written as nobody expects them. */
export const PLANTED: readonly Planted[] = Object.entries(LANGUAGES).flatMap(([language, all]) => {
  const [before, after] = all.says;
  const kinds: readonly (readonly [ScrubKind, readonly string[]])[] = [
    ['email', all.emails],
    ['phone', all.phones],
    ['iban', all.ibans],
    ['card', all.cards],
    ['ip', all.ips],
    ['secret', all.secrets],
    ['national_id', all.ids],
  ];
  const said = kinds.flatMap(([kind, values]) =>
    values.map((value) => ({ kind, value, text: `${before}${value}${after}` })),
  );
  const urls = all.urls.map((value) => ({
    kind: 'credentials' as const,
    value,
    text: `${before}https://${value}@db.example.net/x${after}`,
  }));
  return [...said, ...urls].map((item, at) => ({
    language,
    ...item,
    text: (BOXES[at % BOXES.length] ?? String)(item.text),
  }));
});

/** What looks like it and is none: days, times, amounts, versions, numbers of orders and goods, hashes, code. */
export const HARMLESS: readonly string[] = [
  ...['2026-11-26', '26.11.2026', '26/11/2026', '11-26-2026', '2026-11-26T18:00:00Z', '18:45:12', '12:34:56.789'],
  ...[
    '1732645200',
    '1732645200000',
    '20261126184512',
    '1,234,567.89 €',
    '1.234.567,89',
    '12 000 000 zł',
    'R$ 1.234,56',
  ],
  ...['v1.2.3', '1.2.3.4', 'version 10.0.19.45', 'Chrome/120.0.0.0', 'node-20.19.0', 'lodash@4.17.21', 'icon@2x.png'],
  ...[
    'order R-100',
    'Bestellung 4711-0815',
    'commande n° 2024-0042',
    'pedido 123456789',
    'zamówienie 2024/11/0042',
    '订单号 202611260001',
  ],
  ...[
    '4111 1111 1111 1112',
    '1234 5678 9012 3456',
    '0000 0000 0000 0000',
    'ISBN 978-3-16-148410-0',
    'EAN 4006381333931',
    'SKU 12-3456-789',
  ],
  ...['DE89370400440532013001', 'GB00NWBK60161331926819', 'XX12 3456 7890', 'VAT DE123456789', 'HRB 12345'],
  ...['127.0.0.1', '0.0.0.0', '::1', 'localhost:8000', '255.255.255.256', '1.2.3.4.5', 'dead::beef', 'std::vector'],
  ...[
    '550e8400-e29b-41d4-a716-446655440000',
    'd41d8cd98f00b204e9800998ecf8427e',
    'a'.repeat(40),
    '9b74c9897bac770ffc029102a200c5de',
  ],
  ...['@handle', 'root@localhost', 'a@b.c', 'user at example dot com', 'x = y @ z', '@types/node', 'git@github'],
  ...[
    '12345678A',
    'X1234567A',
    '123-45-678',
    '000-12-3456',
    '666-12-3456',
    '900-12-3456',
    '12345-6789',
    '529.982.247-26',
  ],
  ...[
    '44051401350',
    '11222333',
    '86095742718',
    'RSSMRA85T10A562T',
    '110105194912310021',
    '255081416802539',
    'BG123456A',
  ],
  ...[
    'password: your birthday',
    'The token is expired.',
    'secret sauce',
    'api_key=$API_KEY',
    '{"password": "***"}',
    '{"token": null}',
  ],
  ...[
    'Bearer of news',
    'Basic English',
    'sk-1',
    'ghp_short',
    'AKIA',
    'eyJ',
    'https://example.com/a@b',
    'https://example.com:8443/x',
  ],
  ...[
    '3.14159265358979',
    '6.02214076e23',
    '-1234567890',
    '0x7fffffff',
    '1e10',
    '#123456',
    '100%',
    '50-60',
    '2024-2025',
  ],
  ...[
    'Room 030 in building 4',
    'pages 12-34',
    '0800',
    '112',
    '7 of 9',
    '10 x 15 cm',
    '1:0',
    '90 / 60 / 90',
    '16 10 24',
  ],
  ...[
    'Rechnung 2024 11 26',
    'à 12 h 30',
    'km 42,195',
    'chapitre 12.3.4',
    '第12章第3节',
    'art. 6 ust. 1',
    'n. 123/2024',
  ],
];
