"""What this machine is and what it does meanwhile: the host, the GPU by NVML, and the build that the family belongs to."""

import ctypes
import datetime
import glob
import json
import os
import pathlib
import re
from typing import Any, Optional

Json = dict[str, Any]


def _text(path: str) -> str:
    try:
        return pathlib.Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _field(text: str, key: str, separator: str) -> str:
    return str((re.search(rf"^{key}\s*{separator}(.*)$", text, re.MULTILINE) or ("", ""))[1]).strip()


def utc_now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def host() -> Json:
    memory_kib = _field(_text("/proc/meminfo"), "MemTotal", ":").split(" ")[0]
    groups = _text("/proc/1/cgroup") + _text("/proc/self/cgroup")
    marks = ("/run/.containerenv", "/.dockerenv", "/.singularity.d", "/run/systemd/container", "/var/run/secrets/kubernetes.io")
    contained = any(map(os.path.exists, marks)) or any(word in groups for word in ("kubepods", "docker", "lxc"))
    found = {"cpu": _field(_text("/proc/cpuinfo"), "model name", ":"), "logical_cpus": os.cpu_count() or 0, "usable_cpus": usable_cpus(),
             "numa_nodes": len(glob.glob("/sys/devices/system/node/node[0-9]*")), "memory_bytes": 1024 * int(memory_kib or 0),
             "os": _field(_text("/etc/os-release"), "PRETTY_NAME", "=").strip('"'), "kernel": os.uname().release,
             "governor": _text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"), "container": contained}
    return {key: value for key, value in found.items() if value or value is False}


def build() -> Json:  # what the build wrote beside the package; nothing where it runs from the sources
    return dict(json.loads(_text(str(pathlib.Path(__file__).resolve().parent / "build.json")) or "{}"))


def data_folder() -> pathlib.Path:
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return pathlib.Path(cache if cache.startswith("/") else pathlib.Path.home() / ".cache") / "cupel"


def usable_cpus() -> int:
    return len(os.sched_getaffinity(0))


def waited_for_cpu_s() -> float:  # in which threads of this process were ready to run and had no processor, up to now
    return 1e-9 * sum(int((_text(path).split() + ["0", "0"])[1]) for path in glob.glob("/proc/self/task/*/schedstat"))


class Nvml:
    _THROTTLES = {0x4: "sw_power_cap", 0x8: "hw_slowdown", 0x20: "sw_thermal", 0x40: "hw_thermal", 0x80: "hw_power_brake"}

    def __init__(self, uuid: str) -> None:
        self._handle: Optional[ctypes.c_void_p] = None
        try:
            self._nvml = ctypes.CDLL("libnvidia-ml.so.1")
        except OSError:
            return
        handle = ctypes.c_void_p()
        by = ("nvmlDeviceGetHandleByUUID", uuid.encode()) if uuid else ("nvmlDeviceGetHandleByIndex_v2", ctypes.c_uint(0))
        if self._nvml.nvmlInit_v2() == 0 and getattr(self._nvml, by[0])(by[1], ctypes.byref(handle)) == 0:
            self._handle = handle

    def _number(self, function: str, *arguments: int, kind: Any = ctypes.c_uint) -> Optional[int]:
        value = kind()
        fails = self._handle is None or getattr(self._nvml, function)(self._handle, *arguments, ctypes.byref(value)) != 0
        return None if fails else int(value.value)

    def _string(self, function: str, *before: Any) -> str:
        text = ctypes.create_string_buffer(96)
        fails = self._handle is None or getattr(self._nvml, function)(*before, text, ctypes.c_uint(96)) != 0
        return "" if fails else text.value.decode(errors="replace")

    def device(self) -> Json:
        sm_mhz, memory_mhz = (self._number("nvmlDeviceGetMaxClockInfo", clock) for clock in (1, 2))
        bus, limit_mw, own_mw, link, width = (self._number("nvmlDeviceGet" + name) for name in (
            "MemoryBusWidth", "EnforcedPowerLimit", "PowerManagementDefaultLimit", "CurrPcieLinkGeneration", "CurrPcieLinkWidth"))
        found = {"uuid": self._string("nvmlDeviceGetUUID", self._handle), "driver_version": self._string("nvmlSystemGetDriverVersion"),
                 "sm_clock_max_hz": sm_mhz and sm_mhz * 1e6, "memory_clock_max_hz": memory_mhz and memory_mhz * 1e6, "memory_bus_bits": bus,
                 "memory_peak_bytes_per_s": memory_mhz and bus and 2 * memory_mhz * 1e6 * bus / 8, "pcie_generation": link,
                 "pcie_width": width, "power_limit_w": limit_mw and limit_mw / 1e3, "power_limit_default_w": own_mw and own_mw / 1e3}
        return {key: value for key, value in found.items() if value}

    def telemetry(self) -> Json:  # behind a row's samples, when the device may be idle again
        mhz, milliwatts = self._number("nvmlDeviceGetClockInfo", 1), self._number("nvmlDeviceGetPowerUsage")
        reasons = self._number("nvmlDeviceGetCurrentClocksThrottleReasons", kind=ctypes.c_ulonglong) or 0
        found = {"sm_clock_hz": mhz and mhz * 1e6, "sm_clock_under_load": False if mhz else None,
                 "power_w": milliwatts and milliwatts / 1e3, "temperature_c": self._number("nvmlDeviceGetTemperature", 0),
                 "throttle_reasons": [name for bit, name in self._THROTTLES.items() if reasons & bit]}
        return {key: value for key, value in found.items() if value not in (None, [])}
