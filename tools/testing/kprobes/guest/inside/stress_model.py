# SPDX-License-Identifier: GPL-2.0-or-later
"""What the module kprobes_stress must show after what it was told."""
import collections
import os

FILE = "/sys/kernel/debug/kprobes_stress"
# Does a jump replace several instructions here?
WINDOWS = os.uname().machine == "x86_64"
# Clients that one command may name
BATCH = 16
# Kinds of clients that may come and go: p is for neighbours and references
SECOND = "sqn"
PLACES = 3

Function = collections.namedtuple("Function", "shape jumps inside taken skip")
Row = collections.namedtuple("Row", "optimized hits ends missed text")


class Client:
    """A client by its name: what it is, what it was at the last barrier."""

    def __init__(self, name):
        self.name, self.kind = name, name[0]
        self.function, self.place = map(int, name[1:].split("."))
        self.registered = self.enabled = self.changed = False
        self.last = Row(False, 0, 0, 0, "-")


class Model:
    """All clients; compares them with what the module has counted."""

    def __init__(self):
        self.clients, self.functions, self.failed = {}, [], []
        self.calls, self.count = [], collections.Counter()
        self.optimization = self.armed = True
        self.parked = False
        self.barrier = 0
        self.read()
        self.make_clients()

    def fail(self, text):
        """Keep what was wrong."""
        self.failed.append(f"barrier {self.barrier}: {text}")

    def make_clients(self):
        """A client of each kind at each place; those in C have one place."""
        for number, function in enumerate(self.functions):
            for place in range(1 if function.shape in "ir" else PLACES):
                # At its sites ftrace drops a call that a handler makes, and counts nothing
                kinds = "psq" if function.shape in "ir" else "psqn"
                kinds += "d" if not place and function.skip >= 0 else ""
                for kind in kinds + ("r" if not place else ""):
                    name = f"{kind}{number}.{place}"
                    self.clients[name] = Client(name)

    def references(self):
        """The clients that stay: one of each function, and a few that keep traps."""
        names = [f"{'r' if f.shape == 'r' else 'p'}{i}.0" for i, f in enumerate(self.functions)]
        names += [f"q{i}.0" for i, f in enumerate(self.functions) if f.shape == "f"]
        return [names[i:i + BATCH] for i in range(0, len(names), BATCH)]

    def stays(self, client):
        """Is it one of these?"""
        shape = self.functions[client.function].shape
        return client.place == 0 and (client.kind == ("r" if shape == "r" else "p") or
                                      (client.kind == "q" and shape == "f"))

    def free(self):
        """Those that may come."""
        return [name for name, client in self.clients.items()
                if not client.registered and not self.stays(client)]

    def there(self):
        """Those that may go."""
        return [name for name, client in self.clients.items()
                if client.registered and not self.stays(client)]

    def extra(self):
        """Their number."""
        return len(self.there())

    def is_inside(self, client):
        """Is it in the window of a reference?"""
        return bool(self.functions[client.function].inside >> client.place & 1)

    def inside_jumps(self):
        """Those that may come in the window of a reference that is a jump, as far as we know."""
        return [name for name, client in self.clients.items()
                if client.kind == "p" and client.place and not client.registered and
                (not WINDOWS or self.is_inside(client)) and
                self.clients[f"p{client.function}.0"].last.optimized]

    def slow(self):
        """Second clients of the functions that threads are in most of the time."""
        return [f"s{number}.0" for number, function in enumerate(self.functions)
                if function.shape == "g"]

    def change(self, client, **members):
        """A client is changed; counts of others do not change by that."""
        client.changed = True
        for name, value in members.items():
            setattr(client, name, value)

    def tell(self, verb, names):
        """Write a command, which must succeed, and follow it."""
        try:
            with open(FILE, "w", encoding="ascii") as file:
                file.write(f"{verb} {' '.join(names)}")
        except OSError as error:
            self.fail(f"{verb} {' '.join(names)}: {error.strerror}")
            return
        if verb in ("park", "go"):
            self.parked = verb == "park"
        for client in map(self.clients.get, names):
            self.count["neighbours"] += verb == "register" and client.place > 0
            self.change(client, registered=verb != "unregister",
                        enabled=verb in ("register", "enable"))

    def read(self):
        """The numbers of the module: what is wrong, calls, {name: Row}."""
        first, calls, rows = None, [], {}
        with open(FILE, encoding="ascii") as file:
            for kind, *words in map(str.split, file):
                if kind == "s":
                    first = tuple(map(int, words))
                elif kind == "f":
                    calls.append(tuple(map(int, words[6:])))
                    if len(self.functions) < len(calls):
                        self.functions.append(Function(words[1], *map(int, words[2:6])))
                else:
                    rows[words[0]] = Row(words[1] == "1", *map(int, words[2:5]), words[5])
        return first, calls, rows

    def check(self):
        """Compare all with the last barrier."""
        (wrong, broken, _), calls, rows = self.read()
        if wrong:
            self.fail(f"{wrong} calls returned a wrong value")
        passed = [(now[0] - then[0], now[1] - then[1])
                  for now, then in zip(calls, self.calls or calls)]
        self.count["calls"] += sum(number for number, _ in passed)
        for name, row in rows.items():
            client = self.clients[name]
            self.check_client(client, row, passed[client.function])
            client.last, client.changed = row, False
        self.calls = calls
        self.count["broken"] = broken

    def passes(self, client, passed):
        """How often the place of a client was passed, of calls and those that are negative."""
        taken = client.kind != "r" and self.functions[client.function].taken
        return passed[taken >> client.place & 1]

    def check_client(self, client, row, passed):
        """A client's counts and its text."""
        last, number = client.last, self.passes(client, passed)
        hits, missed = row.hits - last.hits, row.missed - last.missed
        active = client.registered and client.enabled and self.armed
        most, least = number if active or client.changed else 0, number if active else 0
        if client.changed:
            least = 0
        if not least <= hits + missed <= most:
            self.fail(f"{client.name}: {hits} hits + {missed} missed, {least} to {most} passes, "
                      f"{last} {row}")
        if client.kind in "qr" and not self.may_lose_ends(client) and \
                row.ends - last.ends != hits:
            self.fail(f"{client.name}: {hits} hits, {row.ends - last.ends} ends")
        if active:
            self.check_state(client, row)
        elif client.registered:
            self.check_disarmed(client, row)
        self.count["hits"] += hits
        self.count["missed"] += missed
        self.count["exact"] += not client.changed
        self.count["jumps"] += row.optimized and not last.optimized
        self.count["traps"] += last.optimized and row.text == "t"

    def may_lose_ends(self, client):
        """A post-handler does not follow an instruction that another client skips."""
        skips = self.clients.get(f"d{client.function}.0")
        return client.changed or (client.kind == "q" and client.place == 0 and skips and
                                  (skips.registered or skips.changed))

    def check_state(self, client, row):
        """An armed client's text is what its state says."""
        if row.text not in ("jf" if row.optimized else "tf"):
            self.fail(f"{client.name}: text {row.text}, optimized {row.optimized:d}")
        if row.optimized and not self.optimization:
            self.fail(f"{client.name}: a jump, which are switched off")
        self.count[{"j": "places with a jump", "t": "places with a trap",
                    "f": "places by ftrace"}.get(row.text, "?")] += 1

    def at(self, client):
        """A name of its address: asm functions are entered before their first place."""
        entry = client.kind == "r" and self.functions[client.function].shape not in "ir"
        return client.function, -1 if entry else client.place

    def check_disarmed(self, client, row):
        """A place without an enabled client has its text: no jump covers another's place."""
        address = self.at(client)
        if self.armed and any(other.registered and other.enabled and self.at(other) == address
                              for other in self.clients.values()):
            return
        self.count["places disarmed"] += 1
        if row.text not in "-f":
            self.fail(f"{client.name}: text {row.text}, although disarmed")

    def check_text(self):
        """No probe is armed: the module's text is as it was at first."""
        changed = self.read()[0][2]
        if changed:
            self.fail(f"{changed} bytes of the module's text have changed")

    def can_jump(self, number):
        """Must the reference of a function become a jump?"""
        if not self.functions[number].jumps:
            return False
        others = [client for client in self.clients.values()
                  if client.function == number and client.registered]
        return not any(client.kind == "q" and not client.place or self.is_inside(client)
                       for client in others if client.kind != "r")

    def not_settled(self):
        """References that must become jumps, and are none yet."""
        rows = self.read()[2]
        return [f"p{number}.0" for number in range(len(self.functions))
                if self.can_jump(number) and not rows[f"p{number}.0"].optimized]

    def jumps(self):
        """Clients that are jumps."""
        return sum(row.optimized for row in self.read()[2].values())

    def check_list(self, read_list):
        """The list of probes has each client of ours, and says which are jumps."""
        before = self.jumps()
        ours = [line for line in read_list() if "stress_" in line]
        after = self.jumps()
        jumps = sum("[OPTIMIZED]" in line for line in ours)
        want = sum(client.registered for client in self.clients.values())
        # Others than references may become jumps meanwhile
        if len(ours) != want or not before <= jumps <= after:
            self.fail(f"list: {len(ours)} of {want}, {jumps} jumps of {before} to {after}")
        self.count["listed jumps"] += jumps
