/** One way to write a named secret down, and the signs that a secret in it cannot hold unescaped. */
export interface Notation {
  readonly title: string;
  readonly write: (secret: string) => string;
  readonly excluded?: string;
}

// Signs that end a bare word, and those that end a quoted one.
const bare = ' "\'`<>&;()[]{}\\,:=';
const quoted = '"\'`\\';
const tagged = '<&"\'\\`';

/** How programs, formats and shells write a name beside its value. A new notation is a line here. */
export const notations: readonly Notation[] = [
  { title: 'an assignment', write: (secret) => `DB_PASSWORD=${secret} was refused`, excluded: bare },
  { title: 'a header', write: (secret) => `x-api-key: ${secret}\nhost: a`, excluded: bare },
  { title: 'JSON', write: (secret) => `{"user":"bob","password":"${secret}","n":1}`, excluded: quoted },
  { title: 'JSON inside JSON', write: (secret) => String.raw`{"body":"{\"password\":\"${secret}\"}"}`, excluded: quoted },
  { title: 'a list in JSON', write: (secret) => `{"secrets":["${secret}","${secret}"],"n":1}`, excluded: ` ${quoted}` },
  { title: 'an inspected object', write: (secret) => `{ user: 'bob', password: '${secret}' }`, excluded: quoted },
  { title: 'an inspected object of a text', write: (secret) => `{ password: [String: '${secret}'] }`, excluded: quoted },
  {
    title: 'an inspected list',
    write: (secret) => `{ 'set-cookie': [ 'sid=${secret}' ], password: [ '${secret}' ] }`,
    excluded: ` ${quoted}`,
  },
  { title: 'a map of Go', write: (secret) => `map[Accept:[*/*] X-Api-Key:[${secret}] X-Id:[1]]`, excluded: bare },
  { title: 'a header of Go', write: (secret) => `http.Header{"X-Api-Key":[]string{"${secret}"}}`, excluded: quoted },
  { title: 'a struct of Go', write: (secret) => `{User:bob Password:${secret} Port:1}`, excluded: bare },
  { title: 'a struct of Go in full', write: (secret) => `main.Config{User:"bob", Password:"${secret}"}`, excluded: quoted },
  { title: 'a dump of Go', write: (secret) => `Password: (string) (len=16) "${secret}",`, excluded: quoted },
  { title: 'print_r of PHP', write: (secret) => `Array\n(\n    [user] => bob\n    [password] => ${secret}\n)`, excluded: '\\' },
  { title: 'print_r of PHP on one line', write: (secret) => `Array ( [password] => ${secret} [user] => bob )`, excluded: bare },
  { title: 'print_r of an object', write: (secret) => `User Object\n(\n    [password:protected] => ${secret}\n)`, excluded: '\\' },
  { title: 'print_r of a private field', write: (secret) => `[password:App\\User:private] => ${secret}\n`, excluded: '\\' },
  { title: 'var_dump of PHP', write: (secret) => `array(1) {\n  ["password"]=>\n  string(16) "${secret}"\n}`, excluded: quoted },
  { title: 'var_dump of a field', write: (secret) => `["password":protected]=>\n  string(16) "${secret}"`, excluded: quoted },
  { title: 'var_export of PHP', write: (secret) => `array (\n  'password' => '${secret}',\n)`, excluded: quoted },
  { title: 'Debug of Rust', write: (secret) => `Config { user: "bob", password: Some("${secret}"), port: 1 }`, excluded: quoted },
  { title: 'Debug of a wrapper in Rust', write: (secret) => `Config { password: Some(Secret("${secret}")) }`, excluded: quoted },
  { title: 'Debug of a struct in Rust', write: (secret) => `Config { api_key: ApiKey { value: "${secret}" } }`, excluded: quoted },
  { title: 'a description of Swift', write: (secret) => `Login(user: "bob", password: Optional("${secret}"))`, excluded: quoted },
  { title: 'show of Haskell', write: (secret) => `Login {user = "bob", password = Just "${secret}"}`, excluded: quoted },
  { title: 'a map of Scala', write: (secret) => `Map(user -> bob, password -> ${secret})`, excluded: bare },
  { title: 'an option of Scala', write: (secret) => `Login(password = Some(${secret}))`, excluded: bare },
  { title: 'a record of Java', write: (secret) => `Login[user=bob, password=${secret}]`, excluded: bare },
  { title: 'an optional of Java', write: (secret) => `Login{password=Optional[${secret}]}`, excluded: bare },
  { title: 'a dictionary of Python', write: (secret) => `{'user': 'bob', 'password': '${secret}'}`, excluded: quoted },
  { title: 'bytes of Python', write: (secret) => `{b'accept': b'*/*', b'x-api-key': b'${secret}'}`, excluded: quoted },
  { title: 'pairs of bytes of Python', write: (secret) => `[(b'x-api-key', b'1${secret}')]`, excluded: quoted },
  { title: 'a long text of Python', write: (secret) => `password = """${secret}"""`, excluded: quoted },
  { title: 'a model of Python', write: (secret) => `Login(user='bob', password='${secret}')`, excluded: quoted },
  { title: 'a secret of Python', write: (secret) => `Login(password=SecretStr('${secret}'))`, excluded: quoted },
  { title: 'a hash of Ruby', write: (secret) => `{:user=>"bob", :password=>"${secret}"}`, excluded: quoted },
  { title: 'an object of Ruby', write: (secret) => `#<User:0x01 @password="${secret}", @id=1>`, excluded: quoted },
  { title: 'a tuple of Erlang', write: (secret) => `[{user,"bob"},{password,"${secret}"}]`, excluded: quoted },
  { title: 'a binary of Erlang', write: (secret) => `{password,<<"${secret}">>}`, excluded: quoted },
  { title: 'a map of Erlang', write: (secret) => `#{password => <<"${secret}">>,user => <<"bob">>}`, excluded: quoted },
  { title: 'a map of Elixir', write: (secret) => `%{password: "${secret}", user: "bob"}`, excluded: quoted },
  { title: 'YAML', write: (secret) => `db:\n  password: "${secret}"\n  user: bob`, excluded: quoted },
  { title: 'a block of YAML', write: (secret) => `db:\n  password: |\n    ${secret}\n    ${secret}\n  user: bob`, excluded: '\\' },
  { title: 'a folded block of YAML', write: (secret) => `password: >-\n  ${secret}\nuser: bob`, excluded: '\\' },
  { title: 'a block of YAML in JSON', write: (secret) => String.raw`{"file":"password: |\n  ${secret}\nuser: bob"}`, excluded: quoted },
  { title: 'a named value of YAML', write: (secret) => `- name: DB_PASSWORD\n  value: ${secret}\n- name: X\n  value: y`, excluded: bare },
  { title: 'a quoted named value of YAML', write: (secret) => `env:\n  - name: DB_PASSWORD\n    value: "${secret}"`, excluded: quoted },
  { title: 'a named value of JSON', write: (secret) => `{\n  "name": "DB_PASSWORD",\n  "value": "${secret}"\n}`, excluded: quoted },
  {
    title: 'a typed value of JSON',
    write: (secret) => `{"Name":"DB_PASSWORD","Type":"SecureString","Value":"${secret}"}`,
    excluded: quoted,
  },
  { title: 'an element', write: (secret) => `<login><password>${secret}</password></login>`, excluded: tagged },
  {
    title: 'an element of SOAP',
    write: (secret) => `<wsse:Password Type="http://x#PasswordText">${secret}</wsse:Password>`,
    excluded: tagged,
  },
  { title: 'an element with CDATA', write: (secret) => `<password><![CDATA[${secret}]]></password>`, excluded: `${tagged}]` },
  { title: 'an attribute', write: (secret) => `<user name="bob" password="${secret}"/>`, excluded: tagged },
  { title: 'a setting of .NET', write: (secret) => `<add key="ApiKey" value="${secret}" />`, excluded: tagged },
  { title: 'a property list', write: (secret) => `<key>password</key>\n\t<string>${secret}</string>`, excluded: tagged },
  { title: 'a member of XML-RPC', write: (secret) => `<name>password</name><value><string>${secret}</string></value>`, excluded: tagged },
  { title: '.netrc', write: (secret) => `machine api.example.com login bob password ${secret}`, excluded: bare },
  { title: '.netrc in lines', write: (secret) => `machine api.example.com\n  login bob\n  password ${secret}\n`, excluded: bare },
  { title: '.npmrc', write: (secret) => `//registry.example.com/:_auth=${secret}`, excluded: bare },
  { title: 'a command of Redis', write: (secret) => `command: { name: 'auth', args: [ 'default', '${secret}' ] }`, excluded: `${quoted}]` },
  { title: 'a form', write: (secret) => `user%5Bname%5D=bob&user%5Bpassword%5D=${secret}&x=1`, excluded: bare },
  { title: 'an open form', write: (secret) => `user[name]=bob&user[password]=${secret}&x=1`, excluded: bare },
  { title: 'an option', write: (secret) => `tool --user bob --password ${secret} --verbose`, excluded: bare },
  { title: 'an option with one dash', write: (secret) => `keytool -list -storepass ${secret} -v`, excluded: bare },
  { title: 'an option of OpenSSL', write: (secret) => `openssl rsa -passin pass:${secret} -in a.pem`, excluded: bare },
  { title: 'a connection string', write: (secret) => `Server=db;Password=${secret};User Id=sa`, excluded: bare },
  { title: 'a WireGuard file', write: (secret) => `[Peer]\nPresharedKey = ${secret}\nEndpoint = a`, excluded: bare },
  { title: 'a kubeconfig', write: (secret) => `users:\n- user:\n    client-key-data: ${secret}\n`, excluded: bare },
  { title: 'an environment of Rails', write: (secret) => `SECRET_KEY_BASE=${secret} rails s`, excluded: bare },
  { title: 'an environment of Laravel', write: (secret) => `APP_KEY=${secret}\nAPP_ENV=x`, excluded: bare },
  { title: 'a header of Cloudflare', write: (secret) => `X-Auth-Key: ${secret}`, excluded: bare },
  { title: 'an answer of Secrets Manager', write: (secret) => `{"Name":"a","SecretString":"${secret}"}`, excluded: quoted },
  { title: 'an answer of KMS', write: (secret) => `{"KeyId":"a","Plaintext":"${secret}"}`, excluded: quoted },
  { title: 'JSON in HTML', write: (secret) => `{&quot;password&quot;:&quot;${secret}&quot;}`, excluded: `${quoted}&` },
  { title: 'JSON with escaped quotes', write: (secret) => String.raw`{\u0022password\u0022:\u0022${secret}\u0022}`, excluded: quoted },
  { title: 'a wrapped value', write: (secret) => `{"password":{"value":"${secret}"}}`, excluded: quoted },
  { title: 'a wrapped value beside a name', write: (secret) => `{"key":"password","value":{"stringValue":"${secret}"}}`, excluded: quoted },
  { title: 'SQL', write: (secret) => `CREATE USER bob IDENTIFIED BY '${secret}'`, excluded: ` ${quoted}` },
  { title: 'brackets in a sentence', write: (secret) => `the password (${secret}) was refused`, excluded: bare },
  { title: 'binary YAML', write: (secret) => `password: !!binary ${secret}`, excluded: bare },
  { title: 'a pair without a space', write: (secret) => `refused password:${secret}@db.example.com:5432 for bob`, excluded: bare },
  { title: 'a shell that quotes', write: (secret) => `PASSWORD='${secret}' node x`, excluded: quoted },
];

const all = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

/** The signs of which a secret may consist in a notation. */
export function signsOf({ excluded = '' }: Notation): string[] {
  return all.filter((sign) => !excluded.includes(sign));
}
